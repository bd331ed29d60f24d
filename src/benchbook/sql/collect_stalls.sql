-- One row per (run, step, cause of stalls) of the chosen runs.
SELECT *
FROM stalls
WHERE list_contains($run_ids, run_id)
ORDER BY run_id, step, line, cause
