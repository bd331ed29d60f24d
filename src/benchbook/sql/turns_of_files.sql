-- The turns of one session as the referee wrote them, one file an arm: what is needed to
-- say how loud it was. `quiet` stands on the first line of each file.
SELECT filename AS run_id, '' AS session, step, round, machine_cpu_ns, steal_ns, others_ns,
  max(quiet) OVER (PARTITION BY filename) AS quiet, kind
FROM read_json($files, filename = true, format = 'newline_delimited', columns = {
  kind: 'VARCHAR', step: 'VARCHAR', round: 'BIGINT', machine_cpu_ns: 'BIGINT',
  steal_ns: 'BIGINT', others_ns: 'BIGINT', quiet: 'BIGINT'
})
QUALIFY kind = 'turn'
