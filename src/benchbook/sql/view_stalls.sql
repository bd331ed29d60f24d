-- One row per (run, step, cause) of the runs that count: how often RocksDB slowed or stopped
-- its writers for it. Those with a compaction going on are among those without that word. stall_s and stall_pct are of the whole step, whatever the cause.
CREATE OR REPLACE VIEW stalls AS
WITH said AS (
  SELECT f.*
  FROM tool_figure AS f
  JOIN run AS r USING (run_id)
  WHERE r.status = 'ok' AND NOT r.overridden
)
SELECT
  c.run_id, c.step, c.metric[7:] AS cause, c.value::BIGINT AS count,
  s.value AS stall_s, p.value AS stall_pct, c.file, c.line
FROM said AS c
LEFT JOIN said AS s ON (s.run_id, s.step, s.metric) = (c.run_id, c.step, 'stall_s')
LEFT JOIN said AS p ON (p.run_id, p.step, p.metric) = (c.run_id, c.step, 'stall_pct')
WHERE c.metric LIKE 'stall\_%' ESCAPE '\' AND c.metric NOT IN ('stall_s', 'stall_pct')
  AND c.metric NOT LIKE 'stall\_total\_%' ESCAPE '\'
