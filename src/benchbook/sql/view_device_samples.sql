-- One row per (run, interval, device that did anything in it) of the runs that count.
CREATE OR REPLACE VIEW device_samples AS
SELECT x.*
FROM device_sample AS x
JOIN run AS r USING (run_id)
WHERE r.status = 'ok' AND NOT r.overridden
