-- One row per (run, step, op, second, bucket) of the chosen runs, of steps of two seconds or
-- more: of a shorter one the hist says it all.
SELECT t.run_id, t.step, t.op, t.second, t.lower_ns, t.count
FROM sample_times AS t
JOIN steps AS s USING (run_id, step, op)
WHERE list_contains($run_ids, t.run_id) AND s.elapsed_ns >= 2e9
ORDER BY t.run_id, t.t_ns, t.step, t.op, t.lower_ns
