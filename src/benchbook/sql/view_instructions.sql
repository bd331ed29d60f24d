-- One row per (run, disassembled function, class of instruction) of the runs that count.
CREATE OR REPLACE VIEW instructions AS
SELECT n.run_id, n.function, n.mnemonic_class, n.count
FROM instruction AS n
JOIN run AS r USING (run_id)
WHERE r.status = 'ok' AND NOT r.overridden
