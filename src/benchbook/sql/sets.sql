-- One row per (set, kind, engine): what the view metric holds. file is that of an import
-- or a published table, '' for a study.
WITH figure AS (
  SELECT "set", '' AS file, engine, version, metric FROM metric WHERE origin = 'derived'
  UNION ALL
  SELECT "set", file, engine, version, metric FROM imported_metric
)
SELECT
  "set",
  CASE
    WHEN file = '' THEN 'study'
    WHEN starts_with(file, 'published/') THEN 'published table'
    ELSE 'import'
  END AS kind,
  file, engine, count(*) AS rows, list(DISTINCT version) AS versions,
  list(DISTINCT metric) AS metrics
FROM figure
GROUP BY "set", file, engine
ORDER BY "set", file, engine
