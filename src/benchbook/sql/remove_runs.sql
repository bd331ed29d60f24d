-- Every row of the runs that the relation gone names.
DELETE FROM step WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM sample WHERE run_no IN (
  SELECT run_no FROM run WHERE run_id IN (SELECT run_id FROM gone)
);
DELETE FROM turn WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM probe WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM hist WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM latency WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM statement WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM size WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM step_use WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM note WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM instruction WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM sampler WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM os_sample WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM device_sample WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM tree_sample WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM counter_sample WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM step_cost WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM profile WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM stack WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM leaf_report WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM wait_state WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM instruction_count WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM sidecar_problem WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM tool_figure WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM lsm_level WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM lsm_job WHERE run_id IN (SELECT run_id FROM gone);
DELETE FROM run WHERE run_id IN (SELECT run_id FROM gone);
