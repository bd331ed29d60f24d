-- One row per (run, step, op, metric, clock) that a tool's own output says, of the runs that
-- count: all of them are in the view metric too.
CREATE OR REPLACE VIEW tool_figures AS
SELECT f.*
FROM tool_figure AS f
JOIN run AS r USING (run_id)
WHERE r.status = 'ok' AND NOT r.overridden
