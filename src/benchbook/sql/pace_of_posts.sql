-- How long a fixed piece of work took beside the runs of each post that was measured on a
-- machine: the median in ms, the fastest first. $runs and $probes are their evidence.
WITH run AS (
  SELECT run_id, env::JSON AS env, parse_path(filename)[-3] AS post
  FROM read_parquet($runs, filename = true, union_by_name = true)
  WHERE machine_id = $machine_id
), took AS (
  SELECT post, work_ns FROM run JOIN read_parquet($probes, union_by_name = true)
    USING (run_id)
  UNION ALL
  SELECT post, unnest([env->'before'->'work_ns', env->'after'->'work_ns'])::BIGINT
  FROM run
)
SELECT post, median(work_ns) / 1e6 AS ms FROM took
GROUP BY post HAVING ms IS NOT NULL ORDER BY ms
