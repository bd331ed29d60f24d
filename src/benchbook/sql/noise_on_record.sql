-- One row per (cell, step) of $driver on $machine with two trials or more: the CoV of
-- its throughput.
SELECT c."set", c.step, c.dop, c.n, c.cov
FROM cov AS c
WHERE c.main AND c.n > 1 AND c.machine = $machine
  AND c.cell_id IN (SELECT cell_id FROM runs WHERE driver = $driver)
ORDER BY c."set", c.step, c.dop, c.cell_id
