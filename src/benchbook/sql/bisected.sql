-- The rate of each run of a bisection, in the order of its sessions.
SELECT
  r.session, r.dims['revision'] AS revision, r.dims['bisected'] AS bisected,
  r.declared_id, m.value, r.started
FROM metric AS m
JOIN runs AS r USING (run_id)
WHERE r.study = $study AND r.machine_id = $machine AND m.step = $step AND m.main
  AND r.status = 'ok' AND r.session <> ''
ORDER BY r.started, r.session, revision
