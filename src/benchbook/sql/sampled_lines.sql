-- The temporary table sampled, one row per line about the machine of the sampler's files
-- $files: with the line before, NULL in the first of a run, and the step that the time
-- between the two lies in, '' where in none. incoming says what the heads of files say.
CREATE OR REPLACE TEMP TABLE sampled AS
WITH reading AS (
  SELECT i.run_id, l.t_ns + i.offset_ns AS t_ns, l AS line
  FROM read_ndjson(
    $files,
    filename = true,
    ignore_errors = true,
    columns = {
      kind: 'VARCHAR', t_ns: 'BIGINT', cpu_ns: 'BIGINT[]', switches: 'BIGINT',
      forks: 'BIGINT', running: 'BIGINT', blocked: 'BIGINT', minor_faults: 'BIGINT',
      major_faults: 'BIGINT', swapped_in: 'BIGINT', swapped_out: 'BIGINT',
      mem_kib: 'STRUCT(available BIGINT, cached BIGINT, dirty BIGINT, writeback BIGINT)',
      psi_us: 'STRUCT(cpu_some BIGINT, io_some BIGINT, io_full BIGINT,
        memory_some BIGINT, memory_full BIGINT)',
      mhz: 'DOUBLE', others_ns: 'BIGINT', kernel_ns: 'BIGINT',
      net: 'STRUCT(rx_bytes BIGINT, tx_bytes BIGINT)',
      loopback_bytes: 'BIGINT', dev: 'BIGINT[][]', new_devices: 'VARCHAR[]',
      trees: 'MAP(VARCHAR, STRUCT(user_ns BIGINT, system_ns BIGINT, minor_faults BIGINT,
        major_faults BIGINT, read_bytes BIGINT, written_bytes BIGINT, processes BIGINT,
        rss_kib BIGINT))',
      counters: 'MAP(VARCHAR, MAP(VARCHAR, BIGINT[]))'
    }
  ) AS l
  JOIN incoming AS i ON i.file = l.filename
  WHERE l.kind = 'os' AND l.t_ns IS NOT NULL
),
paired AS (
  SELECT *, t_ns - lag(t_ns) OVER one AS interval_ns, lag(line) OVER one AS earlier
  FROM reading
  WINDOW one AS (PARTITION BY run_id ORDER BY t_ns)
)
SELECT p.*, coalesce(s.step, '') AS step
FROM paired AS p
LEFT JOIN step AS s ON s.run_id = p.run_id AND s.main
  AND p.t_ns - p.interval_ns >= s.start_ns AND p.t_ns <= s.end_ns
