-- One row per (run, step, flush, compaction or move) of the runs that count; second is its
-- begin after that of the step.
CREATE OR REPLACE VIEW lsm_jobs AS
SELECT
  j.run_id, j.step, j.job, j.kind,
  (j.start_ns - s.start_ns) / 1e9 AS second,
  (j.end_ns - j.start_ns) / 1e9 AS seconds,
  j.* EXCLUDE (run_id, step, job, kind)
FROM lsm_job AS j
JOIN step AS s USING (run_id, step)
JOIN run AS r USING (run_id)
WHERE s.main AND r.status = 'ok' AND NOT r.overridden
