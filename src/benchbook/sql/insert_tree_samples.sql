-- One row per (line of sampled, process tree) that the line before has too.
INSERT INTO tree_sample BY NAME
WITH entry AS (
  SELECT run_id, step, t_ns, interval_ns, earlier, unnest(map_entries(line.trees)) AS e
  FROM sampled
  WHERE interval_ns IS NOT NULL
),
paired AS (
  SELECT
    run_id, step, t_ns, interval_ns, e.key AS tree, e.value AS t,
    earlier.trees[e.key] AS b
  FROM entry
)
SELECT
  run_id, step, t_ns, interval_ns, tree,
  counted_since(t.user_ns, b.user_ns) AS user_ns,
  counted_since(t.system_ns, b.system_ns) AS system_ns,
  counted_since(t.minor_faults, b.minor_faults) AS minor_faults,
  counted_since(t.major_faults, b.major_faults) AS major_faults,
  counted_since(t.read_bytes, b.read_bytes) AS read_bytes,
  counted_since(t.written_bytes, b.written_bytes) AS written_bytes,
  t.processes, t.rss_kib
FROM paired
WHERE b IS NOT NULL
