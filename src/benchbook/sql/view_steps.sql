-- One row per (run, step, op) of the runs that count (counted_runs.sql).
-- Counters only; what is divided stands in the view metric.
CREATE OR REPLACE VIEW steps AS
SELECT
  s.run_id, r.study, r.machine, r.machine_id, r.driver, r.engine, r.version, r.build,
  r.config, r.tag, r.arm, r.cell_id, r.placement, r.dims, r.trial, o.position,
  s.* EXCLUDE (run_id)
FROM step AS s
JOIN run AS r USING (run_id)
JOIN run_order() AS o USING (run_id, study)
JOIN counted_runs() USING (run_id, study)
