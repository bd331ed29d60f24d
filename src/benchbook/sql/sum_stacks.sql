-- One row per (event, command, stack, state) of the samples of the relation perf that were
-- taken from $start_ns to $end_ns.
SELECT
  event, comm, frames, kinds, state, sum(weight)::BIGINT AS weight, count(*) AS samples
FROM perf
WHERE round(time_s * 1e9)::BIGINT BETWEEN $start_ns AND $end_ns
GROUP BY event, comm, frames, kinds, state
ORDER BY weight DESC, comm, frames, kinds, state
