-- One row per figure of the relation `parsed`, in the order of its files, with the text
-- that names its cell. Reads `formats` (format, rank: raw output before tables of it).
CREATE TEMP VIEW named AS
SELECT
  p.*, file_row_number AS id, coalesce(f.rank, 1000) AS rank,
  concat_ws(
    '|', engine, version, build, config, CASE version WHEN '' THEN tag ELSE '' END,
    array_to_string(list_transform(
      list_filter(  -- a range that the step's name holds tells steps apart, not cells
        map_entries(dims),
        lambda e: e.key <> 'range' OR NOT ends_with(step, '_range=' || e.value)
      ),
      lambda e: e.key || '=' || e.value
    ), ','),
    'dop' || dop
  ) AS cell_text
FROM parsed AS p
LEFT JOIN formats AS f USING (format)
