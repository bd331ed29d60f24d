-- One row per (run, step, op, second) of the runs that count.
CREATE OR REPLACE VIEW samples AS
SELECT
  r.run_id, a.step, a.op, a.t_ns, a.interval_ns,
  (a.t_ns - s.start_ns) / 1e9 AS second,
  a.ops, a.rows, a.max_ns, a.clients
FROM sample AS a
JOIN run AS r USING (run_no)
JOIN step AS s ON s.run_id = r.run_id AND s.step = a.step AND s.op = a.op
WHERE r.status = 'ok' AND NOT r.overridden
