-- One row per (run, step, op, second) of the runs that count.
CREATE OR REPLACE VIEW samples AS
SELECT
  a.run_id, a.step, a.op, a.t_ns, a.interval_ns,
  (a.t_ns - s.start_ns) / 1e9 AS second,
  a.ops, a.rows, a.max_ns, a.clients
FROM sample AS a
JOIN step AS s USING (run_id, step, op)
JOIN run AS r USING (run_id)
WHERE r.status = 'ok' AND NOT r.overridden
