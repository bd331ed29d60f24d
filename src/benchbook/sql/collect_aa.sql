-- One row per (run, step, op, metric, clock) of the A/A runs of one name, with the
-- repetition of build and load it belongs to. Of an arm that was built from several
-- sources only the newest.
WITH newest AS (
  SELECT machine_id, declared_id, arg_max(cell_id, started) AS cell_id
  FROM run
  WHERE status = 'ok' AND NOT overridden AND study = $set
  GROUP BY ALL
)
SELECT m.*, r.build_no, r.load_no
FROM metric AS m
JOIN run AS r USING (run_id)
JOIN newest AS n
  ON n.machine_id = r.machine_id
  AND n.declared_id = r.declared_id AND n.cell_id = r.cell_id
WHERE m."set" = $set
ORDER BY m.position, m.run_id, m.seq, m.op, m.metric, m.clock
