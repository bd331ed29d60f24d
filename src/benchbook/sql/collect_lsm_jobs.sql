-- One row per (run, step, flush, compaction or move of files) of the chosen runs.
SELECT *
FROM lsm_jobs
WHERE list_contains($run_ids, run_id)
ORDER BY run_id, start_ns, line
