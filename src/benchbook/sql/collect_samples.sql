-- One row per (run, step, op, second) of the chosen runs.
SELECT *
FROM samples
WHERE list_contains($run_ids, run_id)
ORDER BY run_id, t_ns, step, op
