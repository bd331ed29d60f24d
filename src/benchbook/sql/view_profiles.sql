-- One row per capture of perf of the runs that count.
CREATE OR REPLACE VIEW profiles AS
SELECT x.*
FROM profile AS x
JOIN run AS r USING (run_id)
WHERE r.status = 'ok' AND NOT r.overridden
