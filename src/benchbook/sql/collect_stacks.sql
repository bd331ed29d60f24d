-- One row per (capture of perf, command, stack, state) of the chosen runs.
SELECT *
FROM stacks
WHERE list_contains($run_ids, run_id)
ORDER BY run_id, step, tree, event, weight DESC, comm, frames, state
