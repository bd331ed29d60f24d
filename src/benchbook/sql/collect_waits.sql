-- One row per (run, moment, state in which sessions were) of the chosen runs.
SELECT *
FROM wait_states
WHERE list_contains($run_ids, run_id)
ORDER BY run_id, t_ns, state
