-- One row per run of the named studies, failed and overridden ones included.
SELECT *
FROM runs
WHERE list_contains($studies, study)
ORDER BY study, started, run_id
