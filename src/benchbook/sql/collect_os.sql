-- One row per (run, interval between two samples of the machine) of the chosen runs.
SELECT *
FROM os_samples
WHERE list_contains($run_ids, run_id)
ORDER BY run_id, t_ns
