-- One row per (run, step) that ran under callgrind of the runs that count.
CREATE OR REPLACE VIEW instruction_counts AS
SELECT x.*
FROM instruction_count AS x
JOIN run AS r USING (run_id)
WHERE r.status = 'ok' AND NOT r.overridden
