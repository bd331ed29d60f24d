-- One row per capture of perf of the chosen runs.
SELECT *
FROM profiles
WHERE list_contains($run_ids, run_id)
ORDER BY run_id, start_ns, tree, event
