-- One row per (run, interval, device that did anything in it) of the chosen runs.
SELECT *
FROM device_samples
WHERE list_contains($run_ids, run_id)
ORDER BY run_id, t_ns, device
