-- One row per run of the named studies, failed and overridden ones included. Which session
-- a run was of stands with its turns: here it would tell cells apart, as a dimension does.
SELECT * EXCLUDE (session, turn_ms)
FROM runs
WHERE list_contains($studies, study)
ORDER BY study, started, run_id
