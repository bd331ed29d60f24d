-- One row per (run, interval between two samples of the machine) of the runs that count.
CREATE OR REPLACE VIEW os_samples AS
SELECT x.*
FROM os_sample AS x
JOIN run AS r USING (run_id)
WHERE r.status = 'ok' AND NOT r.overridden
