-- The place of each run in the order in which the runs of a study began on a machine: 1,
-- 2, ... What was planned decides only between runs that began at once. A wall clock may
-- be set while a study runs, so within a boot the monotonic clock tells the order. A run
-- that failed may have no record of its own: then its folder's time counts.
CREATE OR REPLACE MACRO run_order() AS TABLE
WITH begun AS (
  SELECT
    run_id, study, machine, machine_id, planned,
    coalesce(
      mono_ns + min(real_ns - mono_ns) OVER (PARTITION BY machine_id, boot_id),
      epoch_ns(started)
    ) AS began_ns
  FROM run
)
SELECT
  run_id,
  row_number() OVER (
    PARTITION BY study, machine, machine_id ORDER BY began_ns, planned, run_id
  ) AS position
FROM begun;
