-- Every row of the runs that the relation gone names.
DELETE FROM step WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM sample WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM hist WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM latency WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM size WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM step_use WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM note WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM instruction WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM run WHERE run_id IN (SELECT run_id FROM gone);
