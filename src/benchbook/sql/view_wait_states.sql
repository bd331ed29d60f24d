-- One row per (run, moment, state in which sessions were) of the runs that count.
CREATE OR REPLACE VIEW wait_states AS
SELECT x.*
FROM wait_state AS x
JOIN run AS r USING (run_id)
WHERE r.status = 'ok' AND NOT r.overridden
