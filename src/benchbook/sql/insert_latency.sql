-- One row per (run, step, op, clock) that has a hist and no percentiles yet.
INSERT INTO latency BY NAME
WITH bucket AS (
  SELECT h.* EXCLUDE (buckets, counts), unnest(buckets) AS bucket, unnest(counts) AS count
  FROM hist AS h
  WHERE h.run_id NOT IN (SELECT run_id FROM latency)
),
cumulative AS (
  SELECT
    run_id, step, op, clock,
    bucket_value(bucket, sub_bits) AS value_ns,
    sum(count) OVER (
      PARTITION BY run_id, step, op, clock ORDER BY bucket
    ) AS upto,
    sum(count) OVER (PARTITION BY run_id, step, op, clock) AS n
  FROM bucket
  WHERE count > 0
)
SELECT
  run_id, step, op, clock,
  any_value(n) AS n,
  min(value_ns) FILTER (WHERE upto >= percentile_rank(n, 500)) AS p50_ns,
  min(value_ns) FILTER (WHERE upto >= percentile_rank(n, 950)) AS p95_ns,
  min(value_ns) FILTER (WHERE upto >= percentile_rank(n, 990)) AS p99_ns,
  min(value_ns) FILTER (WHERE upto >= percentile_rank(n, 999)) AS p999_ns,
  max(value_ns) AS max_ns
FROM cumulative
GROUP BY run_id, step, op, clock
