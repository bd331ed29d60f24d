-- One row per (cell, step, op, metric, clock): how far its trials lie apart.
-- stddev_pop divides by n, as published tables of the field do, stddev by n - 1; both
-- CoV are NULL where the mean is 0, stddev and cov where n is 1.
CREATE OR REPLACE VIEW cov AS
WITH cell AS (
  SELECT
    "set", machine, machine_id, engine, version, build, config, arm, tag, placement,
    dims, cell_id, dop, step, seq, op, main, metric, clock, unit, direction, origin,
    count(*) AS n, avg(value) AS mean,
    stddev_pop(value) AS stddev_pop, stddev_samp(value) AS stddev
  FROM metric
  GROUP BY ALL
)
SELECT
  *, stddev_pop / nullif(mean, 0) AS cov_pop, stddev / nullif(mean, 0) AS cov
FROM cell
