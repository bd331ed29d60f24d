-- One row per (symbol, object) of the relation perf: its share of all weight, whatever
-- the command.
SELECT symbol, shared_object AS dso, sum(overhead_pct) / 100 AS share
FROM perf
GROUP BY symbol, shared_object
ORDER BY share DESC, symbol, dso
