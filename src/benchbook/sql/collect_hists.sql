-- One row per (run, step, op, clock, bucket) of the chosen runs.
SELECT run_id, step, op, clock, unit, sub_bits, bucket, count
FROM hists
WHERE list_contains($run_ids, run_id)
ORDER BY run_id, step, op, clock, bucket
