-- One row per sample of incoming.
INSERT INTO sample BY NAME
SELECT run_id, step, op, t_ns, interval_ns, ops, rows, max_ns, clients
FROM incoming
