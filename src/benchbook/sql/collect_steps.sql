-- One row per (run, step, op) of the chosen runs.
SELECT *
FROM steps
WHERE list_contains($run_ids, run_id)
ORDER BY run_id, seq, op
