-- One row per figure that was left out though it differs from the one that is kept, by
-- more than a hundredth and more than the last of three decimals.
SELECT
  me.path, me.line, me.metric, me.value, other.path AS kept_path,
  other.line AS kept_line, other.value AS kept_value
FROM figure AS f
JOIN named AS me USING (id)
JOIN named AS other ON other.id = f.first.id
WHERE NOT f.kept AND f.rank <> f.first.rank
  AND abs(f.value - f.first.value) > 0.01 * greatest(abs(f.value), abs(f.first.value))
  AND abs(f.value - f.first.value) > 0.0011
ORDER BY me.path, me.ord
LIMIT $most
