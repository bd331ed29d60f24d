-- One row per (run, step, op, clock) of the runs that count: response times in ns.
CREATE OR REPLACE VIEW percentiles AS
SELECT l.*
FROM latency AS l
JOIN run AS r USING (run_id)
WHERE r.status = 'ok' AND NOT r.overridden
