-- One row per (capture of perf, symbol, object) of the chosen runs.
SELECT *
FROM leaf_reports
WHERE list_contains($run_ids, run_id)
ORDER BY run_id, step, tree, event, share DESC, symbol, dso
