-- The place of each run in the order in which the runs of a study began on a machine: 1,
-- 2, ... What was planned decides only between runs that began at once. A wall clock may
-- be set while a study runs, so within a boot the monotonic clock tells the order. A run
-- that failed may have no record of its own: then its folder's time counts. The study is
-- there to be joined by: who asks for one reads no other's runs but for their clocks.
CREATE OR REPLACE MACRO run_order() AS TABLE
WITH boot AS (
  SELECT machine_id, boot_id, min(real_ns - mono_ns) AS offset_ns
  FROM run
  GROUP BY ALL
)
SELECT
  r.run_id, r.study,
  row_number() OVER (
    PARTITION BY r.study, r.machine, r.machine_id
    ORDER BY coalesce(r.mono_ns + b.offset_ns, epoch_ns(r.started)), r.planned, r.run_id
  ) AS position
FROM run AS r
JOIN boot AS b ON b.machine_id = r.machine_id AND b.boot_id IS NOT DISTINCT FROM r.boot_id;
