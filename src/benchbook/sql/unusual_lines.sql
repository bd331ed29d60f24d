-- One row per line of $file that is not a sample exactly as bench/common/record.c
-- prints it, in the order of the file. Those lines are for Python to check. No group
-- captures: then a line is gone through once.
SELECT json AS line
FROM read_ndjson_objects($file)
WHERE NOT regexp_matches(
  json,
  '\A\{"kind":"sample","step":"[^"\\[:cntrl:]]*",'
  '"op":"(?:insert|delete|query|index|scan|bytes)",'
  '"t_ns":[0-9]{1,18},"interval_ns":[0-9]{1,18},"ops":[0-9]{1,18},"rows":[0-9]{1,18},'
  '"max_ns":[0-9]{1,18},"clients":\[(?:[0-9]{1,18},?)*\]\}\z'
)
