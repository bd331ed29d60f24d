-- One row per (run, step, flush, compaction or move of files) of the chosen runs; second and
-- seconds say when, so that the nanoseconds, a fifth of the evidence, are left out.
SELECT * EXCLUDE (start_ns, end_ns)
FROM lsm_jobs
WHERE list_contains($run_ids, run_id)
ORDER BY run_id, start_ns, line
