-- One row per figure of the view `named`: which file of the import tells its cell apart
-- (file_no 0: none has to), its trial, whether it is kept, and which is kept instead:
-- not kept is one that an earlier file, or a format nearer to the raw output, has already.
-- A repetition is a line that repeats a step of a cell within one file, or, where no metric
-- is on all of its lines, a figure that repeats one: a trial. Those that say trial t are
-- t * most + 1, ... with the most repetitions of the cell: the same in all of its steps,
-- whichever other files there are. Files of one format that hold equal figures in half of
-- what both have, or more, are copies of one another there; where they differ and nothing
-- in their names says in what, they are told apart.
-- Files of `trial_named` (path) say themselves which trial a figure is of: two trials are
-- neither copies of one another nor told apart by file. `said` is NULL in all other files.
-- Of `runs` (path, run) only a number tells those of one run apart: of a cell they are
-- trials, in the order of these numbers, where nobody says which.
-- Narrow on purpose: texts are hashed.
CREATE TEMP TABLE figure AS
WITH source AS (
  SELECT
    path, row_number() OVER (ORDER BY path) AS source_no,
    path IN (SELECT path FROM trial_named) AS says_trial, run, length(path) AS long
  FROM (SELECT DISTINCT path FROM named)
  LEFT JOIN runs USING (path)
),
of_files AS (
  SELECT
    id, rank, source_no, run, long, ord, line, said_trial, value, main,
    CASE WHEN says_trial THEN said_trial END AS said,
    hash(machine, cell_text) AS cell, hash(machine, cell_text, step, op) AS place,
    hash(machine, cell_text, step) AS step, hash(metric, clock) AS item
  FROM named
  JOIN source USING (path)
),
run_trial AS (
  SELECT
    source_no, cell,
    row_number() OVER (PARTITION BY run, cell ORDER BY long, source_no) AS number
  FROM (
    SELECT DISTINCT source_no, cell, run, long
    FROM of_files
    WHERE run IS NOT NULL AND said_trial IS NULL
  )
),
narrow AS (
  SELECT
    of_files.* EXCLUDE (run, long) REPLACE (
      coalesce(said_trial, number) AS said_trial, coalesce(said, number) AS said
    )
  FROM of_files
  LEFT JOIN run_trial USING (source_no, cell)
),
counted AS (
  SELECT
    *,
    row_number() OVER (
      PARTITION BY source_no, place, item, said_trial, line ORDER BY ord
    ) AS column_no,
    row_number() OVER (
      PARTITION BY source_no, place, item, said_trial ORDER BY line, ord
    ) AS item_no
  FROM narrow
),
lined AS (
  SELECT
    *,
    dense_rank() OVER (
      PARTITION BY source_no, place, said_trial ORDER BY line, column_no
    ) AS line_no
  FROM counted
),
repeated AS (
  SELECT
    * EXCLUDE (column_no, item_no, line_no),
    CASE WHEN max(line_no) OVER said = max(item_no) OVER said THEN line_no ELSE item_no
    END AS repetition
  FROM lined
  WINDOW said AS (PARTITION BY source_no, place, said_trial)
),
own AS (
  SELECT
    * EXCLUDE (said_trial, repetition),
    CASE
      WHEN said_trial IS NULL THEN repetition
      WHEN max(repetition) OVER said = 1 THEN said_trial
      ELSE said_trial * max(repetition) OVER said + repetition
    END AS own_trial
  FROM repeated
  WINDOW said AS (PARTITION BY cell, said_trial IS NULL)
),
compared AS (
  SELECT
    rank, place, later.source_no, later.own_trial, earlier.source_no AS from_no,
    earlier.own_trial AS from_trial, bool_and(later.value = earlier.value) AS same
  FROM own AS later
  JOIN own AS earlier USING (rank, place, item)
  WHERE earlier.source_no < later.source_no
    AND (earlier.said <> later.said) IS NOT TRUE
  GROUP BY ALL
),
copied AS (
  SELECT rank, source_no, from_no
  FROM compared
  GROUP BY ALL
  HAVING 2 * count(DISTINCT place) FILTER (same) >= count(DISTINCT place)
),
equal AS (
  FROM compared SEMI JOIN copied USING (rank, source_no, from_no) WHERE same
),
copy AS (
  SELECT
    rank, place, source_no, own_trial,
    arg_min(
      {'source_no': from_no, 'trial': from_trial},
      (from_trial <> own_trial, from_no, from_trial)
    ) AS original
  FROM equal
  GROUP BY ALL
),
contradicted AS (
  SELECT rank, place, item
  FROM own
  ANTI JOIN copy USING (rank, place, source_no, own_trial)
  GROUP BY ALL
  HAVING count(DISTINCT source_no) > 1
    AND NOT (
      count(said) = count(*) AND count(DISTINCT said) = count(DISTINCT (source_no, said))
    )
),
clash AS (
  SELECT DISTINCT rank, place FROM contradicted
),
placed AS (
  SELECT
    own.*,
    CASE
      WHEN clash.place IS NULL THEN 0 ELSE coalesce(original.source_no, source_no)
    END AS file_no,
    coalesce(original.trial, own_trial) AS trial
  FROM own
  LEFT JOIN copy USING (rank, place, source_no, own_trial)
  LEFT JOIN clash USING (rank, place)
),
decided AS (
  SELECT
    *,
    row_number() OVER same = 1 AS kept,
    first_value({'id': id, 'rank': rank, 'value': value}) OVER same AS first
  FROM placed
  WINDOW same AS (
    PARTITION BY place, file_no, item, trial ORDER BY rank, source_no, ord
  )
)
SELECT
  id, rank, source_no, file_no, trial, kept, value, first,
  main AND row_number() OVER (
    PARTITION BY step, file_no, trial, kept AND main ORDER BY rank, source_no, ord
  ) = 1 AS main,
  first_value(id) OVER (
    PARTITION BY cell, file_no, kept ORDER BY rank, source_no, ord
  ) AS tag_id
FROM decided
