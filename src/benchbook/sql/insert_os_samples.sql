-- One row per line of sampled but the first of a run: what was counted since the line
-- before it, and what was found at its own moment.
INSERT INTO os_sample BY NAME
SELECT
  run_id, step, t_ns, interval_ns,
  counted_since(line.cpu_ns[1], earlier.cpu_ns[1]) AS user_ns,
  counted_since(line.cpu_ns[2], earlier.cpu_ns[2]) AS nice_ns,
  counted_since(line.cpu_ns[3], earlier.cpu_ns[3]) AS system_ns,
  counted_since(line.cpu_ns[4], earlier.cpu_ns[4]) AS idle_ns,
  counted_since(line.cpu_ns[5], earlier.cpu_ns[5]) AS iowait_ns,
  counted_since(line.cpu_ns[6], earlier.cpu_ns[6]) AS irq_ns,
  counted_since(line.cpu_ns[7], earlier.cpu_ns[7]) AS softirq_ns,
  counted_since(line.cpu_ns[8], earlier.cpu_ns[8]) AS steal_ns,
  counted_since(line.switches, earlier.switches) AS switches,
  counted_since(line.forks, earlier.forks) AS forks,
  line.running, line.blocked,
  counted_since(line.minor_faults, earlier.minor_faults) AS minor_faults,
  counted_since(line.major_faults, earlier.major_faults) AS major_faults,
  counted_since(line.swapped_in, earlier.swapped_in) AS swapped_in,
  counted_since(line.swapped_out, earlier.swapped_out) AS swapped_out,
  line.mem_kib.available AS mem_available_kib, line.mem_kib.dirty AS dirty_kib,
  line.mem_kib.writeback AS writeback_kib, line.mem_kib.cached AS cached_kib,
  counted_since(line.psi_us.cpu_some, earlier.psi_us.cpu_some) AS psi_cpu_some_us,
  counted_since(line.psi_us.io_some, earlier.psi_us.io_some) AS psi_io_some_us,
  counted_since(line.psi_us.io_full, earlier.psi_us.io_full) AS psi_io_full_us,
  counted_since(line.psi_us.memory_some, earlier.psi_us.memory_some)
    AS psi_memory_some_us,
  counted_since(line.psi_us.memory_full, earlier.psi_us.memory_full)
    AS psi_memory_full_us,
  line.mhz,
  counted_since(line.others_ns, earlier.others_ns) AS others_ns,
  counted_since(line.kernel_ns, earlier.kernel_ns) AS kernel_ns,
  counted_since(line.net.rx_bytes, earlier.net.rx_bytes) AS rx_bytes,
  counted_since(line.net.tx_bytes, earlier.net.tx_bytes) AS tx_bytes,
  counted_since(line.loopback_bytes, earlier.loopback_bytes) AS loopback_bytes
FROM sampled
WHERE interval_ns IS NOT NULL
