-- One row per (run, interval between two samples, process tree, event) of the runs that count.
CREATE OR REPLACE VIEW counter_samples AS
SELECT x.*
FROM counter_sample AS x
JOIN run AS r USING (run_id)
WHERE r.status = 'ok' AND NOT r.overridden
