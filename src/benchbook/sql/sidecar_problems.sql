-- One row per thing that was left out of a run because a sidecar of it is damaged.
SELECT r.folder, p.text
FROM sidecar_problem AS p
JOIN run AS r USING (run_id)
ORDER BY r.folder, p.text
