-- One row per (run, interval, process tree, event) of the chosen runs.
SELECT *
FROM counter_samples
WHERE list_contains($run_ids, run_id)
ORDER BY run_id, t_ns, tree, event
