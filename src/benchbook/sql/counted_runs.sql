-- The runs that count: finished, not overridden, and one of each trial of a cell. Of a
-- trial that was made again, because an arm of its session failed, that of the session
-- with most arms counts, of such the last; of runs alone the first.
CREATE OR REPLACE MACRO counted_runs() AS TABLE
WITH good AS (
  SELECT
    *, CASE WHEN session <> '' THEN count(*) OVER (PARTITION BY study, session) ELSE 0 END
      AS arms
  FROM run
  WHERE status = 'ok' AND NOT overridden
)
SELECT run_id, study
FROM good
QUALIFY 1 = row_number() OVER (
  PARTITION BY study, machine, machine_id, cell_id, trial
  ORDER BY
    json_exists(spec, '$.left_out'), arms DESC,
    CASE WHEN session <> '' THEN -epoch_us(started) END, started, run_id
);
