-- One row per (run, step, op, round) of the runs that count and took turns with others.
CREATE OR REPLACE VIEW turns AS
SELECT
  t.run_id, t.step, t.op, t.seq, t.round, t.place, t.begin_ns, t.active_ns, t.head_ns,
  t.ops, t.rows, t.head_ops, t.client_cpu_ns, t.server_cpu_ns, t.machine_cpu_ns,
  t.steal_ns, t.others_ns, t.kernel_ns, t.quiet, r.session, t.arm, t.frozen
FROM turn AS t
JOIN run AS r USING (run_id)
WHERE r.status = 'ok' AND NOT r.overridden
