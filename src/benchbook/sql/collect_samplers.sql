-- One row per sampled run of the chosen runs.
SELECT *
FROM samplers
WHERE list_contains($run_ids, run_id)
ORDER BY run_id
