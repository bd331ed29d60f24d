-- One row per (run, step, op, metric, clock) of the runs that count, and per imported
-- value. Everything that is divided is divided here and nowhere else.
-- MB = 2^20 bytes; us = microseconds; clock is '' where a metric has none. A step that
-- had no index to create has no rate, and none of one that pays debts is main. Runs of
-- the arms profile and instructions are not timed: the ones have their rates only, the
-- others instructions per operation.
CREATE OR REPLACE VIEW metric AS
WITH derived AS (
  SELECT
    s.run_id, s.step, s.seq, s.op, s.dop, '' AS clock,
    unnest([
      CASE s.op
        WHEN 'query' THEN {
          'metric': 'qps', 'value': s.ops / (s.elapsed_ns / 1e9),
          'unit': 'queries/s', 'direction': 'higher', 'main': p.main
        }
        WHEN 'transaction' THEN {
          'metric': 'tps', 'value': s.ops / (s.elapsed_ns / 1e9),
          'unit': 'transactions/s', 'direction': 'higher', 'main': p.main
        }
        WHEN 'run' THEN {
          'metric': 'rps', 'value': s.ops / (s.elapsed_ns / 1e9),
          'unit': 'runs/s', 'direction': 'higher', 'main': p.main
        }
        WHEN 'bytes' THEN {
          'metric': 'mbps', 'value': s.bytes / 1048576 / (s.elapsed_ns / 1e9),
          'unit': 'MB/s', 'direction': 'higher', 'main': p.main
        }
        ELSE {
          'metric': CASE s.op WHEN 'delete' THEN 'dps' WHEN 'scan' THEN 'scan_rows' ELSE 'ips' END,
          'value': CASE
            WHEN s.op <> 'index' OR s.ops > 0 THEN s.rows / (s.elapsed_ns / 1e9)
          END,
          'unit': 'rows/s', 'direction': 'higher', 'main': p.main
        }
      END,
      {
        'metric': CASE s.op
          WHEN 'delete' THEN 'target_dps' WHEN 'query' THEN 'target_qps'
          WHEN 'transaction' THEN 'target_tps' ELSE 'target_ips'
        END,
        'value': nullif(s.target_ops_per_s, 0),
        'unit': CASE s.op
          WHEN 'query' THEN 'queries/s' WHEN 'transaction' THEN 'transactions/s'
          ELSE 'rows/s'
        END,
        'direction': 'none', 'main': false
      },
      {
        'metric': 'sla',
        'value': CASE WHEN s.op IN ('query', 'transaction') THEN s.ops ELSE s.rows END
          / (s.elapsed_ns / 1e9) / nullif(s.target_ops_per_s, 0),
        'unit': 'ratio', 'direction': 'higher', 'main': false
      },
      {
        'metric': CASE WHEN r.is_server THEN 'client_cpu_o' ELSE 'cpu_o' END,
        'value': s.cpu_ns / 1e3 / CASE
          WHEN s.op IN ('insert', 'delete', 'index') THEN nullif(s.rows, 0)
          WHEN s.op IN ('query', 'scan', 'run') THEN nullif(s.ops, 0)
        END,
        'unit': 'us', 'direction': 'lower', 'main': false
      },
      {
        'metric': 'wait_o',
        'value': CASE
          WHEN s.op IN ('insert', 'delete') THEN s.wait_ns / 1e3 / nullif(s.ops, 0)
        END,
        'unit': 'us', 'direction': 'lower', 'main': false
      },
      {
        'metric': 'errors', 'value': s.errors,
        'unit': 'count', 'direction': 'lower', 'main': false
      },
      {
        'metric': 'retries', 'value': s.retries,
        'unit': 'count', 'direction': 'lower', 'main': false
      },
      {
        'metric': 'elapsed_s', 'value': CASE WHEN s.main THEN s.elapsed_ns / 1e9 END,
        'unit': 's', 'direction': 'lower', 'main': false
      }
    ], recursive := true)
  FROM step AS s
  JOIN run AS r USING (run_id)
  CROSS JOIN LATERAL (SELECT s.main AND is_rated(r.driver, s.step, s.op) AS main) AS p

  UNION ALL BY NAME
  -- Of a whole step, background writers included, per row or query of its main op: as the
  -- field divides. The server's CPU time is the server's alone.
  SELECT
    u.run_id, u.step, s.seq, s.op, s.dop, '' AS clock, 'lower' AS direction,
    false AS main,
    unnest([
      {'metric': 'cpu_o', 'value': u.server_cpu_ns / 1e3 / p.operations, 'unit': 'us'},
      {
        'metric': 'machine_cpu_o', 'value': u.machine_busy_ns / 1e3 / p.operations,
        'unit': 'us'
      },
      {'metric': 'cs_o', 'value': u.switches / p.operations, 'unit': 'switches'},
      {'metric': 'r_o', 'value': u.reads / p.operations, 'unit': 'reads'},
      {'metric': 'rkb_o', 'value': u.read_bytes / 1024 / p.operations, 'unit': 'KB'},
      {'metric': 'w_o', 'value': u.writes / p.operations, 'unit': 'writes'},
      {'metric': 'wkb_o', 'value': u.written_bytes / 1024 / p.operations, 'unit': 'KB'},
      {
        'metric': 'server_rkb_o',
        'value': u.server_read_bytes / 1024 / p.operations, 'unit': 'KB'
      },
      {
        'metric': 'server_wkb_o',
        'value': u.server_written_bytes / 1024 / p.operations, 'unit': 'KB'
      },
      {'metric': 'log_bytes_o', 'value': u.log_bytes / p.operations, 'unit': 'bytes'},
      {'metric': 'folder_bytes', 'value': u.folder_bytes, 'unit': 'bytes'},
      {'metric': 'memory_bytes', 'value': u.memory_bytes, 'unit': 'bytes'}
    ], recursive := true)
  FROM step_use AS u
  JOIN step AS s USING (run_id, step)
  CROSS JOIN LATERAL (SELECT operations_of(s.op, s.ops, s.rows) AS operations) AS p
  WHERE s.main

  UNION ALL BY NAME
  -- The same from whole samples within the step, for as many operations as fall to the time
  -- that they cover. What a use record has is more exact: read at the step's very ends. That
  -- of db_bench has its own CPU time alone.
  SELECT
    c.run_id, c.step, s.seq, s.op, s.dop, '' AS clock, c.direction, false AS main,
    c.metric,
    CASE
      WHEN c.covered_ns IS NULL THEN c.total
      ELSE c.total / (
        operations_of(s.op, s.ops, s.rows) * (c.covered_ns / (s.end_ns - s.start_ns))
      )
    END AS value,
    c.unit
  FROM step_cost AS c
  JOIN step AS s USING (run_id, step)
  WHERE s.main
    AND NOT (c.coarse AND (c.run_id, c.step) IN (
      SELECT (u.run_id, u.step)
      FROM step_use AS u
      JOIN run AS n USING (run_id)
      WHERE n.is_server OR coalesce(u.machine_busy_ns, u.switches, u.reads) IS NOT NULL
    ))

  UNION ALL BY NAME
  -- Counted by callgrind one after the other, in runs that are never timed.
  SELECT
    c.run_id, c.step, s.seq, s.op, s.dop, '' AS clock, 'lower' AS direction,
    false AS main, 'instructions_o' AS metric,
    c.instructions / CASE
      WHEN s.op = 'bytes' THEN nullif(s.ops, 0) ELSE operations_of(s.op, s.ops, s.rows)
    END AS value,
    'instructions' AS unit
  FROM instruction_count AS c
  JOIN step AS s USING (run_id, step)
  JOIN run AS r USING (run_id)
  WHERE s.main AND r.arm = 'instructions'

  UNION ALL BY NAME
  SELECT
    l.run_id, l.step, s.seq, l.op, s.dop, l.clock,
    unnest([
      {'metric': 'p50', 'value': l.p50_ns / 1e3},
      {'metric': 'p95', 'value': l.p95_ns / 1e3},
      {'metric': 'p99', 'value': l.p99_ns / 1e3},
      {'metric': 'p999', 'value': l.p999_ns / 1e3},
      {'metric': 'max', 'value': l.max_ns / 1e3}
    ], recursive := true),
    'us' AS unit, 'lower' AS direction, false AS main
  FROM latency AS l
  JOIN step AS s USING (run_id, step, op)

  UNION ALL BY NAME
  SELECT
    z.run_id, z.step, s.seq, s.op, s.dop, '' AS clock,
    'size_bytes' AS metric, z.bytes AS value, 'bytes' AS unit, 'lower' AS direction,
    false AS main
  FROM size AS z
  JOIN step AS s USING (run_id, step)
  WHERE s.main

  UNION ALL BY NAME
  -- What the tool itself says: stalls, compaction statistics, further percentiles.
  SELECT
    f.run_id, f.step, s.seq, f.op, s.dop, f.clock, f.metric, f.value, f.unit, f.direction,
    false AS main
  FROM tool_figure AS f
  JOIN step AS s USING (run_id, step, op)

  UNION ALL BY NAME
  -- Bytes that flushes and compactions wrote for each byte of keys and values inserted.
  -- A flush is counted once; what was only moved to another level was not written.
  SELECT
    s.run_id, s.step, s.seq, s.op, s.dop, '' AS clock, 'write_amp' AS metric,
    j.bytes_out / nullif(s.rows * (r.settings ->> 'key_size')::BIGINT
      + s.rows * (r.settings ->> 'value_size')::BIGINT, 0) AS value,
    'ratio' AS unit, 'lower' AS direction, false AS main
  FROM (
    SELECT run_id, step, sum(bytes_out) AS bytes_out
    FROM lsm_job
    WHERE kind <> 'move' AND end_ns IS NOT NULL
    GROUP BY run_id, step
  ) AS j
  JOIN step AS s USING (run_id, step)
  JOIN run AS r USING (run_id)
  WHERE s.main AND s.op = 'insert'
)
SELECT
  r.study AS "set", r.machine, r.machine_id, r.engine, r.version, r.build, r.config,
  r.arm, r.tag, r.placement, r.dims, r.cell_id, r.run_id, r.trial, o.position,
  d.step, d.seq, d.op, d.main, d.dop, d.metric, d.clock, d.value, d.unit, d.direction,
  'derived' AS origin,
  r.folder || CASE WHEN r.arm = 'instructions' THEN '/callgrind.json' ELSE '' END
    AS source
FROM derived AS d
JOIN run AS r USING (run_id)
JOIN run_order() AS o USING (run_id, study)
JOIN counted_runs() USING (run_id, study)
WHERE d.value IS NOT NULL
  AND isfinite(d.value)
  AND CASE r.arm
    WHEN 'instructions' THEN d.metric = 'instructions_o'
    WHEN 'profile' THEN d.metric IN ('ips', 'dps', 'qps', 'tps', 'scan_rows', 'mbps')
    ELSE true
  END

UNION ALL BY NAME
SELECT * EXCLUDE (file), 'published' AS origin
FROM imported_metric
