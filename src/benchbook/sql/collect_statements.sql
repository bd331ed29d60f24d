-- One row per (run, step, statement) of the chosen runs, in the order of the steps.
SELECT t.*
FROM statements AS t
JOIN steps AS s ON s.run_id = t.run_id AND s.step = t.step AND s.main
WHERE list_contains($run_ids, t.run_id)
ORDER BY t.run_id, s.seq, t.name
