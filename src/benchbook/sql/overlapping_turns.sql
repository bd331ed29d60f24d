-- Pairs of arms of a session that worked at one time, which turns forbid: the file of one of
-- them was changed. Of the sessions of these runs; a millisecond is what clocks are read in.
WITH asked AS (
  SELECT DISTINCT study, session
  FROM run
  WHERE run_id IN (SELECT unnest($run_ids::VARCHAR[])) AND session <> ''
),
worked AS (
  SELECT DISTINCT r.study, r.session, r.folder, t.begin_ns, t.begin_ns + t.active_ns AS end_ns
  FROM turn AS t
  JOIN run AS r USING (run_id)
  JOIN asked USING (study, session)
),
in_order AS (
  SELECT
    *, lag(folder) OVER before AS other, lag(end_ns) OVER before AS other_end_ns
  FROM worked
  WINDOW before AS (PARTITION BY study, session ORDER BY begin_ns)
)
SELECT
  least(folder, other) AS folder, greatest(folder, other) AS other, count(*) AS turns
FROM in_order
WHERE folder <> other AND other_end_ns > begin_ns + 1_000_000
GROUP BY ALL
ORDER BY ALL
