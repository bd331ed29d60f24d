-- One row per imported value, with the columns of the view metric but origin: what
-- data/imported/<set>.parquet holds. Order: file, then the file's own order.
WITH tags AS (
  SELECT id AS tag_id, tag FROM named
),
files AS (
  SELECT DISTINCT f.source_no AS file_no, coalesce(run, n.path) AS file
  FROM figure AS f
  JOIN named AS n USING (id)
  LEFT JOIN runs USING (path)
),
identified AS (
  SELECT
    n.* REPLACE (
      tags.tag AS tag, f.main AS main,
      CASE
        WHEN file IS NULL THEN dims ELSE map_concat(dims, MAP {'file': file})
      END AS dims,
      concat_ws('|', cell_text, file) AS cell_text
    ),
    f.trial,
    concat_ws('|', $set, machine, cell_text, file, 't' || f.trial) AS run_id
  FROM figure AS f
  JOIN named AS n USING (id)
  JOIN tags USING (tag_id)
  LEFT JOIN files USING (file_no)
  WHERE f.kept
),
step_order AS (
  SELECT step, row_number() OVER (ORDER BY min((path, ord))) AS seq
  FROM identified
  GROUP BY step
),
run_order AS (
  SELECT run_id, row_number() OVER (ORDER BY min((path, ord))) AS position
  FROM identified
  GROUP BY run_id
)
SELECT
  $set AS "set", machine, '' AS machine_id, engine, version, build, config,
  'main' AS arm, tag, '' AS placement, dims, left(sha256(cell_text), 16) AS cell_id,
  run_id, trial, position, step, seq, op, main, dop, metric, clock, value, unit,
  direction, path || ':' || line AS source
FROM identified
JOIN step_order USING (step)
JOIN run_order USING (run_id)
ORDER BY path, ord
