-- One row per (run, step, level that got files) of the chosen runs.
SELECT *
FROM lsm_writes
WHERE list_contains($run_ids, run_id)
ORDER BY run_id, step, level
