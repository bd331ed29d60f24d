-- One row per (capture of perf, symbol, object) of the runs that count.
CREATE OR REPLACE VIEW leaf_reports AS
SELECT x.*
FROM leaf_report AS x
JOIN run AS r USING (run_id)
WHERE r.status = 'ok' AND NOT r.overridden
