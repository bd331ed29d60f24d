-- One row per (run, step, op, clock, bucket) of the runs that count.
CREATE OR REPLACE VIEW hists AS
SELECT
  b.run_id, b.step, b.op, b.clock, b.unit, b.sub_bits, b.bucket,
  bucket_lower(b.bucket, b.sub_bits) AS lower_ns,
  bucket_width(b.bucket, b.sub_bits) AS width_ns,
  bucket_value(b.bucket, b.sub_bits) AS value_ns,
  b.count
FROM (
  SELECT h.* EXCLUDE (buckets, counts), unnest(buckets) AS bucket, unnest(counts) AS count
  FROM hist AS h
) AS b
JOIN run AS r USING (run_id)
WHERE r.status = 'ok' AND NOT r.overridden
