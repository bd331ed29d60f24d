-- The view `named`: one row per figure of the relation `parsed`, in the order of its
-- files, with the text that names its cell. Reads `formats` (format, rank: raw output
-- before tables of it).
CREATE TEMP VIEW described AS
SELECT
  p.*, file_row_number AS id, coalesce(f.rank, 1000) AS rank,
  concat_ws(
    '|', engine, version, build, config, CASE version WHEN '' THEN tag ELSE '' END,
    array_to_string(list_transform(
      list_filter(  -- when it was measured, and a range that the step's name holds, are
        map_entries(dims),  -- of a run and of a step: they tell no cells apart
        lambda e: e.key <> 'started'
          AND (e.key <> 'range' OR NOT ends_with(step, '_range=' || e.value))
      ),
      lambda e: e.key || '=' || e.value
    ), ',')
  ) AS setup
FROM parsed AS p
LEFT JOIN formats AS f USING (format);

-- The dop of steps of which some files do not say it, and all that do say the same: where
-- the figures that both have are the same, but for rounding.
CREATE TEMP TABLE said_dop AS
WITH narrow AS (
  SELECT
    hash(machine, setup, step) AS place, hash(op, metric, clock) AS item, dop, value
  FROM described
),
one AS (
  SELECT place, max(dop) AS dop
  FROM narrow
  GROUP BY place
  HAVING min(dop) = 0 AND min(nullif(dop, 0)) = max(dop)
),
unsure AS (
  SELECT DISTINCT place, item, value FROM narrow SEMI JOIN one USING (place) WHERE dop = 0
),
sure AS (
  SELECT DISTINCT place, item, value FROM narrow SEMI JOIN one USING (place) WHERE dop > 0
),
matched AS (
  SELECT
    place, item, unsure.value,
    bool_or(
      abs(unsure.value - sure.value) <= greatest(0.01 * abs(sure.value), 0.0011)
      OR unsure.value IN (floor(sure.value), round(sure.value))
    ) AS agrees
  FROM unsure
  JOIN sure USING (place, item)
  GROUP BY ALL
)
SELECT place, any_value(dop) AS dop
FROM matched
JOIN one USING (place)
GROUP BY place
HAVING bool_and(agrees);

CREATE TEMP VIEW named AS
SELECT
  described.* REPLACE (coalesce(said.dop, described.dop) AS dop),
  concat_ws('|', setup, 'dop' || coalesce(said.dop, described.dop)) AS cell_text
FROM described
LEFT JOIN said_dop AS said ON said.place = hash(machine, setup, step)
