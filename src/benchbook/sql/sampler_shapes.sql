-- One row per shape that lines of the sampler's file $file have, in the order of the first
-- line of each: its number, the last of its kind, whether the lines go back in time, and
-- the line, NULL where it is no whole JSON. What one line of a shape is, all of it are.
WITH line AS (
  SELECT
    json, row_number() OVER () AS n, try_cast(json ->> '$.t_ns' AS BIGINT) AS t_ns
  FROM read_ndjson_objects($file, ignore_errors = true)
),
shaped AS (
  SELECT
    json, n, t_ns <= lag(t_ns) OVER (ORDER BY n) AS goes_back,
    CASE
      WHEN json ->> '$.kind' = 'os' THEN (
        json_structure(json),
        json_array_length(json, '$.cpu_ns'),
        list_distinct(list_transform(
          json_extract(json, '$.dev[*]'), lambda d: json_array_length(d)
        )),
        list_distinct(list_transform(
          json_extract(json, '$.counters.*.*'), lambda c: json_array_length(c)
        ))
      )
    END AS shape,
    coalesce(json ->> '$.kind' <> 'os', true) AS alone
  FROM line
)
SELECT min(n) AS line, max(n) AS last, coalesce(goes_back, false) AS goes_back,
  arg_min(json, n) FILTER (WHERE json IS NOT NULL) AS text
FROM shaped
GROUP BY shape, coalesce(goes_back, false), CASE WHEN alone THEN n END
ORDER BY line
