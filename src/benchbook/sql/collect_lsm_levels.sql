-- One row per (run, step, dump of statistics, level) of the chosen runs.
SELECT *
FROM lsm_levels
WHERE list_contains($run_ids, run_id)
ORDER BY run_id, step, dump, line
