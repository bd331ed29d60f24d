-- One row per key that the map `dims` has in a set, in order.
WITH keys AS (
  SELECT unnest(map_keys(dims)) AS name
  FROM run
  WHERE study = $set AND status = 'ok' AND NOT overridden
  UNION ALL
  SELECT unnest(map_keys(dims))
  FROM imported_metric
  WHERE "set" = $set
)
SELECT DISTINCT name FROM keys ORDER BY name
