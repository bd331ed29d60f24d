-- One row per (line of sampled but the first of a run, device that did anything since the
-- line before). A device stands only in lines of which it changed, so what is subtracted
-- is the last line that has it; one that was in none before has done nothing until then.
INSERT INTO device_sample BY NAME
WITH appeared AS (
  SELECT run_id, flatten(list(line.new_devices ORDER BY t_ns)) AS devices
  FROM sampled
  WHERE line.new_devices IS NOT NULL
  GROUP BY run_id
),
name AS (
  SELECT
    i.run_id, i.main_device, list_concat(i.devices, coalesce(a.devices, [])) AS devices
  FROM incoming AS i
  LEFT JOIN appeared AS a USING (run_id)
),
reading AS (
  SELECT run_id, step, t_ns, interval_ns, unnest(line.dev) AS d FROM sampled
),
paired AS (
  SELECT
    *,
    lag(d, 1, list_transform(range(18), lambda i: 0::BIGINT)) OVER (
      PARTITION BY run_id, d[1] ORDER BY t_ns
    ) AS b
  FROM reading
)
SELECT
  p.run_id, p.step, p.t_ns, p.interval_ns,
  coalesce(n.devices[d[1] + 1], d[1]::VARCHAR) AS device,
  coalesce(n.devices[d[1] + 1] = n.main_device, false) AS main,
  counted_since(d[2], b[2]) AS reads, 512 * counted_since(d[4], b[4]) AS read_bytes,
  ms_since(d[5], b[5]) AS read_ms,
  counted_since(d[6], b[6]) AS writes, 512 * counted_since(d[8], b[8]) AS written_bytes,
  ms_since(d[9], b[9]) AS write_ms,
  d[10] AS in_flight, ms_since(d[11], b[11]) AS busy_ms, ms_since(d[12], b[12]) AS queue_ms,
  counted_since(d[13], b[13]) AS discards,
  512 * counted_since(d[15], b[15]) AS discarded_bytes,
  counted_since(d[17], b[17]) AS flushes, ms_since(d[18], b[18]) AS flush_ms
FROM paired AS p
JOIN name AS n USING (run_id)
WHERE p.interval_ns IS NOT NULL
