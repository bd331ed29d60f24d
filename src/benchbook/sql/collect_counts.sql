-- One row per (run, step) that ran under callgrind of the chosen runs.
SELECT *
FROM instruction_counts
WHERE list_contains($run_ids, run_id)
ORDER BY run_id, step
