-- One row per (run, step, op, round) of the chosen runs.
SELECT *
FROM turns
WHERE list_contains($run_ids, run_id)
ORDER BY run_id, begin_ns, op
