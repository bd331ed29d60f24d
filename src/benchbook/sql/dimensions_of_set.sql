-- One row per key that the map `dims` has in a set, in order.
SELECT DISTINCT unnest(map_keys(dims)) AS name
FROM metric
WHERE set = $set
ORDER BY name
