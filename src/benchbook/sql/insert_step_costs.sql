-- One row per (run of incoming, step, metric) in which whole samples lie. What is counted
-- is added up here and divided in the view metric; shares and ipc are ratios of sums.
INSERT INTO step_cost BY NAME
WITH machine AS (
  SELECT
    run_id, step, sum(interval_ns) AS covered_ns, sum(user_ns + nice_ns) AS user_ns,
    sum(system_ns) AS system_ns, sum(irq_ns + softirq_ns) AS irq_ns,
    sum(others_ns) AS others_ns, sum(kernel_ns) AS kernel_ns,
    sum(iowait_ns) AS iowait_ns, sum(steal_ns) AS steal_ns, sum(idle_ns) AS idle_ns,
    sum(switches) AS switches, sum(minor_faults) AS minor_faults,
    sum(major_faults) AS major_faults
  FROM os_sample
  SEMI JOIN incoming USING (run_id)
  WHERE step <> ''
  GROUP BY run_id, step
),
cpu AS (
  SELECT
    *, user_ns + system_ns + irq_ns AS busy_ns,
    nullif(user_ns + system_ns + irq_ns + iowait_ns + steal_ns + idle_ns, 0) AS all_ns
  FROM machine
),
watched AS (  -- the device of the database, and that of the log where it has its own
  SELECT run_id, '' AS of, main_device AS device FROM incoming WHERE main_device <> ''
  UNION ALL
  SELECT run_id, 'log_' AS of, log_device AS device FROM incoming WHERE log_device <> ''
),
device AS (  -- it has no row of time in which it did nothing
  SELECT
    m.run_id, m.step, m.covered_ns, w.of, bool_or(d.run_id IS NOT NULL) AS busy,
    sum(d.reads) AS reads, sum(d.read_bytes) AS read_bytes, sum(d.writes) AS writes,
    sum(d.written_bytes) AS written_bytes, sum(d.discards) AS discards,
    sum(d.discarded_bytes) AS discarded_bytes, sum(d.flushes) AS flushes
  FROM machine AS m
  JOIN watched AS w USING (run_id)
  LEFT JOIN device_sample AS d
    ON d.run_id = m.run_id AND d.step = m.step AND d.device = w.device
  GROUP BY ALL
),
tree AS (
  SELECT
    run_id, step, tree, sum(interval_ns) AS covered_ns, sum(user_ns) AS user_ns,
    sum(system_ns) AS system_ns
  FROM tree_sample
  SEMI JOIN incoming USING (run_id)
  WHERE step <> ''
  GROUP BY run_id, step, tree
),
counter AS (  -- for time in which an event was never counted stands the mean of the rest
  SELECT
    c.run_id, c.step, c.event, sum(c.interval_ns) AS covered_ns,
    sum(c.count) * coalesce(
      sum(c.enabled_ns) / nullif(sum(c.enabled_ns) FILTER (WHERE c.count IS NOT NULL), 0),
      1
    ) AS count
  FROM counter_sample AS c
  SEMI JOIN incoming AS i USING (run_id)
  JOIN run AS r USING (run_id)
  WHERE c.step <> '' AND c.tree = CASE WHEN r.is_server THEN 'server' ELSE 'client' END
  GROUP BY c.run_id, c.step, c.event
),
cost AS (
  SELECT
    run_id, step, covered_ns, false AS coarse,
    unnest([
      {'metric': 'user_o', 'total': user_ns / 1e3, 'unit': 'us'},
      {'metric': 'system_o', 'total': system_ns / 1e3, 'unit': 'us'},
      {'metric': 'irq_o', 'total': irq_ns / 1e3, 'unit': 'us'},
      {'metric': 'iowait_o', 'total': iowait_ns / 1e3, 'unit': 'us'},
      {'metric': 'steal_o', 'total': steal_ns / 1e3, 'unit': 'us'},
      {'metric': 'others_o', 'total': others_ns / 1e3, 'unit': 'us'},
      {'metric': 'kernel_o', 'total': kernel_ns / 1e3, 'unit': 'us'},
      {
        'metric': 'cpu_pct_o', 'total': 100 * busy_ns / all_ns * (covered_ns / 1e9),
        'unit': '% s'
      },
      {'metric': 'minor_faults_o', 'total': minor_faults, 'unit': 'faults'},
      {'metric': 'major_faults_o', 'total': major_faults, 'unit': 'faults'}
    ], recursive := true)
  FROM cpu

  UNION ALL BY NAME
  SELECT
    run_id, step, NULL AS covered_ns, false AS coarse,
    unnest([
      {'metric': 'iowait_pct', 'total': 100 * iowait_ns / all_ns, 'unit': '%'},
      {'metric': 'steal_pct', 'total': 100 * steal_ns / all_ns, 'unit': '%'}
    ], recursive := true)
  FROM cpu

  UNION ALL BY NAME
  SELECT
    run_id, step, covered_ns, true AS coarse,
    unnest([
      {'metric': 'machine_cpu_o', 'total': busy_ns / 1e3, 'unit': 'us'},
      {'metric': 'cs_o', 'total': switches, 'unit': 'switches'}
    ], recursive := true)
  FROM cpu

  UNION ALL BY NAME
  SELECT
    run_id, step, covered_ns,
    unnest([
      {'metric': of || 'r_o', 'total': reads, 'unit': 'reads', 'coarse': of = ''},
      {'metric': of || 'rkb_o', 'total': read_bytes / 1024, 'unit': 'KB', 'coarse': of = ''},
      {'metric': of || 'w_o', 'total': writes, 'unit': 'writes', 'coarse': of = ''},
      {'metric': of || 'wkb_o', 'total': written_bytes / 1024, 'unit': 'KB', 'coarse': of = ''},
      {'metric': of || 'd_o', 'total': discards, 'unit': 'discards', 'coarse': false},
      {'metric': of || 'dkb_o', 'total': discarded_bytes / 1024, 'unit': 'KB', 'coarse': false},
      {'metric': of || 'flushes_o', 'total': flushes, 'unit': 'flushes', 'coarse': false}
    ], recursive := true)
  FROM (
    FROM device WHERE busy
    UNION ALL BY NAME
    SELECT
      run_id, step, covered_ns, of, busy, 0 AS reads, 0 AS read_bytes, 0 AS writes,
      0 AS written_bytes, 0 AS discards, 0 AS discarded_bytes, 0 AS flushes
    FROM device WHERE NOT busy
  )

  UNION ALL BY NAME
  SELECT
    run_id, step, covered_ns, false AS coarse,
    unnest([
      {'metric': tree || '_user_o', 'total': user_ns / 1e3, 'unit': 'us'},
      {'metric': tree || '_system_o', 'total': system_ns / 1e3, 'unit': 'us'}
    ], recursive := true)
  FROM tree

  UNION ALL BY NAME
  SELECT c.run_id, c.step, c.covered_ns, false AS coarse, e.metric, c.count AS total, e.unit
  FROM counter AS c
  JOIN (
    VALUES
      ('instructions', 'instructions_o', 'instructions'),
      ('cycles', 'cycles_o', 'cycles'),
      ('branches', 'branches_o', 'branches'),
      ('branch-misses', 'branch_misses_o', 'misses'),
      ('cache-misses', 'cache_misses_o', 'misses'),
      ('dTLB-load-misses', 'dtlb_misses_o', 'misses'),
      ('iTLB-load-misses', 'itlb_misses_o', 'misses'),
      ('context-switches', 'context_switches_o', 'switches'),
      ('cpu-migrations', 'migrations_o', 'migrations'),
      ('page-faults', 'page_faults_o', 'faults')
  ) AS e(event, metric, unit) USING (event)

  UNION ALL BY NAME
  SELECT
    i.run_id, i.step, NULL AS covered_ns, false AS coarse, 'ipc' AS metric,
    (i.count / i.covered_ns) / nullif(c.count / c.covered_ns, 0) AS total, 'ratio' AS unit
  FROM counter AS i
  JOIN counter AS c USING (run_id, step)
  WHERE i.event = 'instructions' AND c.event = 'cycles'
)
SELECT *, CASE metric WHEN 'ipc' THEN 'higher' ELSE 'lower' END AS direction
FROM cost
WHERE total IS NOT NULL
