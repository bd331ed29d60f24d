-- One row per run that was sampled of the runs that count.
CREATE OR REPLACE VIEW samplers AS
SELECT x.*
FROM sampler AS x
JOIN run AS r USING (run_id)
WHERE r.status = 'ok' AND NOT r.overridden
