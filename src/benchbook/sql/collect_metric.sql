-- One row per (run, step, op, metric, clock) of the chosen runs.
SELECT *
FROM metric
WHERE list_contains($run_ids, run_id)
ORDER BY run_id, seq, op, metric, clock
