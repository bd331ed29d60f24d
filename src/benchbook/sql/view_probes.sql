-- One row per (run, step, before and after) of the runs that count and took turns: how long
-- a fixed piece of work took while all rested, and which other program took most since.
CREATE OR REPLACE VIEW probes AS
SELECT p.run_id, p.step, p."when", p.work_ns, p.busiest, p.busiest_ns, r.session
FROM probe AS p
JOIN run AS r USING (run_id)
WHERE r.status = 'ok' AND NOT r.overridden
