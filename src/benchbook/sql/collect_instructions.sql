-- One row per (run, disassembled function, class of instruction) of the chosen runs.
SELECT *
FROM instructions
WHERE list_contains($run_ids, run_id)
ORDER BY run_id, function, mnemonic_class
