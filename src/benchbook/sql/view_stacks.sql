-- One row per (capture of perf, command, stack, state) of the runs that count.
CREATE OR REPLACE VIEW stacks AS
SELECT x.*
FROM stack AS x
JOIN run AS r USING (run_id)
WHERE r.status = 'ok' AND NOT r.overridden
