-- One row per (run, step, dump of statistics, level) of the runs that count: the compaction
-- table over the time of the step; final is the state at its end. Sorted runs are the files
-- of L0 and the other levels that hold any.
CREATE OR REPLACE VIEW lsm_levels AS
SELECT
  l.*,
  sum(CASE WHEN l.level = 'L0' THEN l.files WHEN l.level <> 'Sum' AND l.files > 0 THEN 1 ELSE 0 END)
    OVER (PARTITION BY l.run_id, l.step, l.dump) AS sorted_runs
FROM lsm_level AS l
JOIN run AS r USING (run_id)
WHERE r.status = 'ok' AND NOT r.overridden
