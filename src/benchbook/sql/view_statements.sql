-- One row per (run, step, statement) of the runs that count: how often it was sent, what it
-- brought, response times in us, and the engine's plan of it.
CREATE OR REPLACE VIEW statements AS
SELECT
  t.run_id, t.step, t.name, t.sql, t.sent, t.rows, t.affected, t.errors, t.retries,
  t.total_ns / 1e3 / nullif(t.sent, 0) AS mean_us,
  t.p50_ns / 1e3 AS p50_us, t.p95_ns / 1e3 AS p95_us, t.p99_ns / 1e3 AS p99_us,
  CASE WHEN t.sent > 0 THEN t.max_ns / 1e3 END AS max_us,
  t.plan
FROM statement AS t
JOIN run AS r USING (run_id)
WHERE r.status = 'ok' AND NOT r.overridden
