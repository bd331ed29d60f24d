-- One row per step that not all runs of a cell count by one op: one of them was changed.
WITH counted AS (
  SELECT r.study, r.cell_id, s.step, s.op, count(*) AS n, min(r.folder) AS folder
  FROM step AS s
  JOIN run AS r USING (run_id)
  WHERE s.main AND r.status = 'ok'
  GROUP BY r.study, r.cell_id, s.step, s.op
)
SELECT step, list(op ORDER BY n DESC, op) AS ops, arg_min(folder, n) AS folder
FROM counted
GROUP BY study, cell_id, step
HAVING count(*) > 1
ORDER BY study, cell_id, step
