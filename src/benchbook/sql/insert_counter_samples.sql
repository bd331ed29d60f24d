-- One row per (line of sampled, process tree, event) that the line before has too. A
-- counter that had to share the hardware ran for a part of the time it was enabled: count
-- is what it would have counted in all of it, NULL where it never ran.
INSERT INTO counter_sample BY NAME
WITH trees AS (
  SELECT run_id, step, t_ns, interval_ns, earlier, unnest(map_entries(line.counters)) AS t
  FROM sampled
  WHERE interval_ns IS NOT NULL
),
events AS (
  SELECT
    run_id, step, t_ns, interval_ns, t.key AS tree, earlier.counters[t.key] AS before,
    unnest(map_entries(t.value)) AS e
  FROM trees
),
reading AS (
  SELECT
    run_id, step, t_ns, interval_ns, tree, e.key AS event,
    counted_since(e.value[1], before[e.key][1]) AS counted,
    counted_since(e.value[2], before[e.key][2]) AS enabled_ns,
    counted_since(e.value[3], before[e.key][3]) AS running_ns
  FROM events
  WHERE before[e.key] IS NOT NULL
)
SELECT
  * EXCLUDE (counted),
  CASE
    WHEN enabled_ns = running_ns THEN counted
    ELSE counted * (enabled_ns / nullif(running_ns, 0))
  END AS count
FROM reading
