-- One row per sample line of $files; incoming says which run a file belongs to.
INSERT INTO sample BY NAME
SELECT
  i.run_id, l.step, l.op, l.t_ns, l.interval_ns, l.ops, l.rows, l.max_ns, l.clients
FROM read_ndjson(
  $files,
  filename = true,
  columns = {
    kind: 'VARCHAR', step: 'VARCHAR', op: 'VARCHAR', t_ns: 'BIGINT',
    interval_ns: 'BIGINT', ops: 'BIGINT', rows: 'BIGINT', max_ns: 'BIGINT',
    clients: 'BIGINT[]'
  }
) AS l
JOIN incoming AS i ON i.file = l.filename
WHERE l.kind = 'sample'
