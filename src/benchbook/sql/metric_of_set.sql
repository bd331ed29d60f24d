-- One row per (run, step, op, metric, clock) of one set: a study or an import.
SELECT *
FROM metric
WHERE set = $set
ORDER BY position, run_id, seq, op, metric, clock
