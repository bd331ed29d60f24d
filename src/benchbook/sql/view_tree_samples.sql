-- One row per (run, interval between two samples, process tree) of the runs that count.
CREATE OR REPLACE VIEW tree_samples AS
SELECT x.*
FROM tree_sample AS x
JOIN run AS r USING (run_id)
WHERE r.status = 'ok' AND NOT r.overridden
