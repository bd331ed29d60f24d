-- One row per (run, step, before and after) of the chosen runs.
SELECT *
FROM probes
WHERE list_contains($run_ids, run_id)
ORDER BY run_id, step, "when" DESC
