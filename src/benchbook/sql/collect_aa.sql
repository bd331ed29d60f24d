-- One row per (run, step, op, metric, clock) of the A/A runs that are asked for by name,
-- or (sets named *.aa) were made on one of the machines, with the repetition of build and
-- load it belongs to. Of an arm that was built from several sources only the newest.
WITH newest AS (
  SELECT study, machine_id, declared_id, arg_max(cell_id, started) AS cell_id
  FROM runs
  WHERE status = 'ok' AND NOT overridden
  GROUP BY ALL
)
SELECT m.*, r.build_no, r.load_no
FROM metric AS m
JOIN runs AS r USING (run_id)
JOIN newest AS n
  ON n.study = r.study AND n.machine_id = r.machine_id
  AND n.declared_id = r.declared_id AND n.cell_id = r.cell_id
WHERE list_contains($sets, m."set")
  OR (m."set" LIKE '%.aa' AND list_contains($machine_ids, m.machine_id))
ORDER BY m."set", m.position, m.run_id, m.seq, m.op, m.metric, m.clock
