-- One row per set of A/A runs (named *.aa) and machine that they were made on.
SELECT DISTINCT study, machine_id FROM run WHERE study LIKE '%.aa' ORDER BY study
