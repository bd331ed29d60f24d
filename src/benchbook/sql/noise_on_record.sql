-- One row per (run, step) of $driver on one machine: the main metric of the step, with
-- the repetition of build and load that the run belongs to. Imported values are not runs,
-- and runs with a profiler beside them are not timed.
SELECT m.*, r.build_no, r.load_no
FROM metric AS m
JOIN runs AS r USING (run_id)
WHERE m.main AND r.driver = $driver AND m.arm <> 'profile'
  AND m.machine = $machine AND m.machine_id = $machine_id
ORDER BY m."set", m.position, m.run_id, m.seq
