-- One row per (run, step, level) that got files, of the runs that count: in bytes, what was
-- flushed or compacted into it, and what was only moved there. how: written, moved or both.
CREATE OR REPLACE VIEW lsm_writes AS
SELECT
  j.run_id, j.step, j.level,
  sum(j.bytes_out) FILTER (j.kind <> 'move') AS written_bytes,
  sum(j.bytes_out) FILTER (j.kind = 'move') AS moved_bytes,
  count(*) FILTER (j.kind <> 'move') AS writes,
  count(*) FILTER (j.kind = 'move') AS moves,
  CASE
    WHEN bool_and(j.kind = 'move') THEN 'moved'
    WHEN bool_and(j.kind <> 'move') THEN 'written'
    ELSE 'both'
  END AS how
FROM lsm_job AS j
JOIN run AS r USING (run_id)
WHERE r.status = 'ok' AND NOT r.overridden AND j.end_ns IS NOT NULL AND j.level IS NOT NULL
GROUP BY j.run_id, j.step, j.level
