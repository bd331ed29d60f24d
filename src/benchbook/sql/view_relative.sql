-- One row per (set, step, op, metric, clock, pair of cells that differ in exactly one
-- dimension): relative = geometric mean of me over its trials / the same of base.
-- Every cell is me once for each cell it can be compared with; choose by dimension and
-- base: WHERE dimension = 'version' AND base = '5.6.51'. Values of 0 or below have no
-- geometric mean: such cells are left out. Where a study varies compiler or flags, these
-- are the dimensions, and the build's label, which repeats them, is not.
CREATE OR REPLACE VIEW relative AS
WITH cell AS (
  SELECT
    "set", machine_id, cell_id, step, seq, op, main, metric, clock, unit, direction,
    map_concat(
      dims,
      MAP {
        'machine': machine, 'engine': engine, 'version': version,
        'build': CASE
          WHEN list_has_any(map_keys(dims), ['compiler', 'flags']) THEN '' ELSE build
        END,
        'config': config, 'arm': arm, 'placement': placement, 'dop': dop::VARCHAR
      }
    ) AS dimensions,
    count(*) AS n, exp(avg(ln(nullif(greatest(value, 0), 0)))) AS geomean
  FROM metric
  GROUP BY ALL
  HAVING min(value) > 0
),
pair AS (
  SELECT
    me."set", me.step, me.seq, me.op, me.main, me.metric, me.clock, me.unit, me.direction,
    list_filter(
      list_distinct(map_keys(me.dimensions) || map_keys(base.dimensions)),
      lambda k: me.dimensions[k] IS DISTINCT FROM base.dimensions[k]
    ) AS differing,
    me.dimensions, base.dimensions AS base_dimensions,
    me.cell_id, base.cell_id AS base_cell_id, me.n, base.n AS base_n,
    me.geomean, base.geomean AS base_geomean
  FROM cell AS me
  JOIN cell AS base USING ("set", step, op, metric, clock)
  WHERE (me.machine_id, me.cell_id, me.dimensions)
    IS DISTINCT FROM (base.machine_id, base.cell_id, base.dimensions)
    -- Of two machines of one name nothing else that differs can be told.
    AND (me.machine_id = base.machine_id
      OR me.dimensions['machine'] <> base.dimensions['machine'])
)
SELECT
  "set", differing[1] AS dimension, dimensions[differing[1]] AS me,
  base_dimensions[differing[1]] AS base, step, seq, op, main, metric, clock, unit,
  direction, geomean / base_geomean AS relative, n, base_n, geomean, base_geomean,
  dimensions, cell_id, base_cell_id
FROM pair
WHERE len(differing) = 1
