-- One row per (run, step, op, clock, bucket) of the chosen runs, in the order of the steps.
SELECT h.run_id, h.step, h.op, h.clock, h.unit, h.sub_bits, h.bucket, h.count
FROM hists AS h
JOIN steps AS s USING (run_id, step, op)
WHERE list_contains($run_ids, h.run_id)
ORDER BY h.run_id, s.seq, h.op, h.clock, h.bucket
