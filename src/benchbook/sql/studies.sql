-- One row per study that has runs in the store.
SELECT DISTINCT study
FROM runs
ORDER BY study
