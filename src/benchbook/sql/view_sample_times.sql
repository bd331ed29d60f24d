-- One row per (run, step, op, second, bucket) of the runs that count: how many operations
-- took from lower_ns to less than upper_ns. Of drivers that have no response times: none.
CREATE OR REPLACE VIEW sample_times AS
SELECT
  r.run_id, b.step, b.op, b.t_ns, b.interval_ns,
  (b.t_ns - s.start_ns) / 1e9 AS second,
  b.bucket,
  bucket_lower(b.bucket, b.sub_bits) AS lower_ns,
  bucket_lower(b.bucket, b.sub_bits) + bucket_width(b.bucket, b.sub_bits) AS upper_ns,
  b.count
FROM (
  SELECT
    run_no, step, op, t_ns, interval_ns, sub_bits,
    unnest(buckets) AS bucket, unnest(counts) AS count
  FROM sample
  WHERE sub_bits IS NOT NULL
) AS b
JOIN run AS r USING (run_no)
JOIN step AS s ON s.run_id = r.run_id AND s.step = b.step AND s.op = b.op
WHERE r.status = 'ok' AND NOT r.overridden
