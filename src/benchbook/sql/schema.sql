-- The tables of data/benchbook.duckdb, filled by benchbook.load and by nothing else.
-- A change here makes the next load build the store anew.

-- One row per run folder, failed and overridden runs included. run_no counts them as they
-- were loaded, those of a study together: a table with millions of rows names its runs so,
-- for a query of one study to read the rows of that study alone.
CREATE TABLE run (
  run_id VARCHAR PRIMARY KEY,
  run_no INTEGER NOT NULL,
  study VARCHAR NOT NULL,
  machine VARCHAR NOT NULL,
  machine_id VARCHAR NOT NULL,
  driver VARCHAR NOT NULL,
  engine VARCHAR NOT NULL,
  version VARCHAR NOT NULL,
  build VARCHAR NOT NULL,
  compiler VARCHAR NOT NULL,
  flags VARCHAR NOT NULL,
  build_source VARCHAR NOT NULL,
  build_series VARCHAR NOT NULL,
  is_server BOOLEAN NOT NULL,
  config VARCHAR NOT NULL,
  tag VARCHAR NOT NULL,
  arm VARCHAR NOT NULL,
  cell_id VARCHAR NOT NULL,
  declared_id VARCHAR NOT NULL,
  dop BIGINT NOT NULL,
  placement VARCHAR NOT NULL,
  trial BIGINT NOT NULL,
  build_no BIGINT NOT NULL,
  load_no BIGINT NOT NULL,
  attempt BIGINT NOT NULL,
  planned BIGINT NOT NULL,
  session VARCHAR NOT NULL,
  turn_ms BIGINT,
  status VARCHAR NOT NULL,
  reason VARCHAR NOT NULL,
  overridden BOOLEAN NOT NULL,
  started TIMESTAMP NOT NULL,
  elapsed_s DOUBLE NOT NULL,
  pid BIGINT,
  mono_ns BIGINT,
  real_ns BIGINT,
  boot_id VARCHAR,
  dims MAP(VARCHAR, VARCHAR) NOT NULL,
  folder VARCHAR NOT NULL,
  env JSON NOT NULL,
  settings JSON,
  config_text VARCHAR NOT NULL,
  spec JSON NOT NULL,
  manifest_sha256 VARCHAR NOT NULL
);

-- One row per (run, step, op). A counter is NULL where neither driver nor tool has it.
CREATE TABLE step (
  run_id VARCHAR NOT NULL,
  seq BIGINT NOT NULL,
  step VARCHAR NOT NULL,
  op VARCHAR NOT NULL,
  main BOOLEAN NOT NULL,
  dop BIGINT NOT NULL,
  ops BIGINT,
  rows BIGINT,
  errors BIGINT NOT NULL,
  retries BIGINT NOT NULL,
  bytes BIGINT,
  wait_ns BIGINT NOT NULL,
  cpu_ns BIGINT NOT NULL,
  target_ops_per_s BIGINT NOT NULL,
  start_ns BIGINT NOT NULL,
  end_ns BIGINT NOT NULL,
  elapsed_ns BIGINT NOT NULL,
  checked BOOLEAN,
  fetched BIGINT
);

-- One row per (run, step, op, second). Response times as in hist; NULL where a driver has none.
CREATE TABLE sample (
  run_no INTEGER NOT NULL,
  step VARCHAR NOT NULL,
  op VARCHAR NOT NULL,
  t_ns BIGINT NOT NULL,
  interval_ns BIGINT NOT NULL,
  ops BIGINT NOT NULL,
  rows BIGINT NOT NULL,
  max_ns BIGINT NOT NULL,
  clients BIGINT[] NOT NULL,
  sub_bits BIGINT,
  buckets BIGINT[],
  counts BIGINT[]
);

-- One row per (run, step, op, round) of a run that took turns with others: what its arm
-- of the session did in one turn. CPU times are of the turn, whatever the op.
CREATE TABLE turn (
  run_id VARCHAR NOT NULL,
  arm BIGINT NOT NULL,
  frozen VARCHAR NOT NULL,
  step VARCHAR NOT NULL,
  op VARCHAR NOT NULL,
  seq BIGINT NOT NULL,
  round BIGINT NOT NULL,
  place BIGINT NOT NULL,
  begin_ns BIGINT NOT NULL,
  active_ns BIGINT NOT NULL,
  head_ns BIGINT NOT NULL,
  ops BIGINT NOT NULL,
  rows BIGINT NOT NULL,
  head_ops BIGINT NOT NULL,
  client_cpu_ns BIGINT NOT NULL,
  server_cpu_ns BIGINT NOT NULL,
  machine_cpu_ns BIGINT NOT NULL,
  steal_ns BIGINT NOT NULL,
  others_ns BIGINT,
  kernel_ns BIGINT,
  quiet BIGINT
);

-- One row per (run, step, before and after): how fast the machine was, and who else took
-- most of its CPUs until then.
CREATE TABLE probe (
  run_id VARCHAR NOT NULL,
  step VARCHAR NOT NULL,
  "when" VARCHAR NOT NULL,
  work_ns BIGINT NOT NULL,
  busiest VARCHAR NOT NULL,
  busiest_ns BIGINT NOT NULL
);

-- One row per (run, step, op, clock); buckets and counts are parallel lists.
CREATE TABLE hist (
  run_id VARCHAR NOT NULL,
  step VARCHAR NOT NULL,
  op VARCHAR NOT NULL,
  clock VARCHAR NOT NULL,
  unit VARCHAR NOT NULL,
  sub_bits BIGINT NOT NULL,
  buckets BIGINT[] NOT NULL,
  counts BIGINT[] NOT NULL
);

-- One row per (run, step, op, clock): percentiles of its hist, worked out once at load.
CREATE TABLE latency (
  run_id VARCHAR NOT NULL,
  step VARCHAR NOT NULL,
  op VARCHAR NOT NULL,
  clock VARCHAR NOT NULL,
  n BIGINT NOT NULL,
  p50_ns DOUBLE NOT NULL,
  p95_ns DOUBLE NOT NULL,
  p99_ns DOUBLE NOT NULL,
  p999_ns DOUBLE NOT NULL,
  max_ns DOUBLE NOT NULL
);

-- One row per (run, step, statement): percentiles of its counts, NULL where it was not sent.
-- plan is NULL where the engine does not say.
CREATE TABLE statement (
  run_id VARCHAR NOT NULL,
  step VARCHAR NOT NULL,
  name VARCHAR NOT NULL,
  sql VARCHAR NOT NULL,
  sent BIGINT NOT NULL,
  rows BIGINT NOT NULL,
  affected BIGINT NOT NULL,
  errors BIGINT NOT NULL,
  retries BIGINT NOT NULL,
  total_ns BIGINT NOT NULL,
  p50_ns DOUBLE,
  p95_ns DOUBLE,
  p99_ns DOUBLE,
  max_ns BIGINT NOT NULL,
  plan VARCHAR
);

-- One row per (run, step).
CREATE TABLE size (
  run_id VARCHAR NOT NULL,
  step VARCHAR NOT NULL,
  bytes BIGINT NOT NULL
);

-- One row per (run, step): what processes, machine and device used in it, NULL where
-- that is not known.
CREATE TABLE step_use (
  run_id VARCHAR NOT NULL,
  step VARCHAR NOT NULL,
  server_cpu_ns BIGINT,
  client_cpu_ns BIGINT,
  machine_busy_ns BIGINT,
  switches BIGINT,
  reads BIGINT,
  read_bytes BIGINT,
  writes BIGINT,
  written_bytes BIGINT,
  server_read_bytes BIGINT,
  server_written_bytes BIGINT,
  log_bytes BIGINT,
  folder_bytes BIGINT,
  memory_bytes BIGINT
);

-- One row per hazard that a driver saw.
CREATE TABLE note (
  run_id VARCHAR NOT NULL,
  step VARCHAR NOT NULL,
  text VARCHAR NOT NULL
);

-- One row per (run, disassembled function, class of instruction) of its program.
CREATE TABLE instruction (
  run_id VARCHAR NOT NULL,
  function VARCHAR NOT NULL,
  mnemonic_class VARCHAR NOT NULL,
  count BIGINT NOT NULL
);

-- One row per run that was sampled: by what. samples, missed, cpu_ns (the sampler's own)
-- and wall_ns are NULL where it was killed.
CREATE TABLE sampler (
  run_id VARCHAR NOT NULL,
  interval_ns BIGINT NOT NULL,
  cpus BIGINT NOT NULL,
  main_device VARCHAR NOT NULL,
  unsupported JSON NOT NULL,
  samples BIGINT,
  missed BIGINT,
  cpu_ns BIGINT,
  wall_ns BIGINT
);

-- One row per (run, interval between two samples of the machine): counters of the
-- interval, gauges at its end, NULL where the machine has none. step is the one in which
-- the whole interval lies, '' where in none; here and in the three tables below.
CREATE TABLE os_sample (
  run_id VARCHAR NOT NULL,
  step VARCHAR NOT NULL,
  t_ns BIGINT NOT NULL,
  interval_ns BIGINT NOT NULL,
  user_ns BIGINT,
  nice_ns BIGINT,
  system_ns BIGINT,
  idle_ns BIGINT,
  iowait_ns BIGINT,
  irq_ns BIGINT,
  softirq_ns BIGINT,
  steal_ns BIGINT,
  switches BIGINT,
  forks BIGINT,
  running BIGINT,
  blocked BIGINT,
  minor_faults BIGINT,
  major_faults BIGINT,
  swapped_in BIGINT,
  swapped_out BIGINT,
  mem_available_kib BIGINT,
  dirty_kib BIGINT,
  writeback_kib BIGINT,
  cached_kib BIGINT,
  psi_cpu_some_us BIGINT,
  psi_io_some_us BIGINT,
  psi_io_full_us BIGINT,
  psi_memory_some_us BIGINT,
  psi_memory_full_us BIGINT,
  mhz DOUBLE,
  others_ns BIGINT,
  kernel_ns BIGINT,
  rx_bytes BIGINT,
  tx_bytes BIGINT,
  loopback_bytes BIGINT
);

-- One row per (run, interval, device that did anything in it).
CREATE TABLE device_sample (
  run_id VARCHAR NOT NULL,
  step VARCHAR NOT NULL,
  device VARCHAR NOT NULL,
  main BOOLEAN NOT NULL,
  t_ns BIGINT NOT NULL,
  interval_ns BIGINT NOT NULL,
  reads BIGINT,
  read_bytes BIGINT,
  read_ms BIGINT,
  writes BIGINT,
  written_bytes BIGINT,
  write_ms BIGINT,
  in_flight BIGINT,
  busy_ms BIGINT,
  queue_ms BIGINT,
  discards BIGINT,
  discarded_bytes BIGINT,
  flushes BIGINT,
  flush_ms BIGINT
);

-- One row per (run, interval, process tree).
CREATE TABLE tree_sample (
  run_id VARCHAR NOT NULL,
  step VARCHAR NOT NULL,
  tree VARCHAR NOT NULL,
  t_ns BIGINT NOT NULL,
  interval_ns BIGINT NOT NULL,
  user_ns BIGINT,
  system_ns BIGINT,
  minor_faults BIGINT,
  major_faults BIGINT,
  read_bytes BIGINT,
  written_bytes BIGINT,
  processes BIGINT,
  rss_kib BIGINT
);

-- One row per (run, interval, process tree, event).
CREATE TABLE counter_sample (
  run_id VARCHAR NOT NULL,
  step VARCHAR NOT NULL,
  tree VARCHAR NOT NULL,
  event VARCHAR NOT NULL,
  t_ns BIGINT NOT NULL,
  interval_ns BIGINT NOT NULL,
  count DOUBLE,
  enabled_ns BIGINT,
  running_ns BIGINT
);

-- One row per (run, step, metric) in which whole samples lie, worked out once at load: what
-- they add up to in covered_ns, to be divided by operations; NULL where it is a ratio.
-- coarse: a use record has it more exactly.
CREATE TABLE step_cost (
  run_id VARCHAR NOT NULL,
  step VARCHAR NOT NULL,
  metric VARCHAR NOT NULL,
  total DOUBLE NOT NULL,
  covered_ns BIGINT,
  unit VARCHAR NOT NULL,
  direction VARCHAR NOT NULL,
  coarse BOOLEAN NOT NULL
);

-- One row per capture of perf.
CREATE TABLE profile (
  run_id VARCHAR NOT NULL,
  step VARCHAR NOT NULL,
  tree VARCHAR NOT NULL,
  event VARCHAR NOT NULL,
  hz BIGINT NOT NULL,
  call_graph VARCHAR NOT NULL,
  start_ns BIGINT NOT NULL,
  end_ns BIGINT NOT NULL,
  samples BIGINT NOT NULL,
  lost BIGINT NOT NULL,
  status VARCHAR NOT NULL,
  reason VARCHAR NOT NULL
);

-- One row per (capture of perf, command, stack, state): frames root first, joined by ";".
-- Of off-CPU time the weight is in ns and the state blocked, preempted or unknown, else ''.
CREATE TABLE stack (
  run_id VARCHAR NOT NULL,
  step VARCHAR NOT NULL,
  tree VARCHAR NOT NULL,
  event VARCHAR NOT NULL,
  comm VARCHAR NOT NULL,
  frames VARCHAR NOT NULL,
  kinds VARCHAR NOT NULL,
  state VARCHAR NOT NULL,
  weight BIGINT NOT NULL,
  samples BIGINT NOT NULL
);

-- One row per (capture of perf, symbol, object): what perf report says of it.
CREATE TABLE leaf_report (
  run_id VARCHAR NOT NULL,
  step VARCHAR NOT NULL,
  tree VARCHAR NOT NULL,
  event VARCHAR NOT NULL,
  symbol VARCHAR NOT NULL,
  dso VARCHAR NOT NULL,
  share DOUBLE NOT NULL
);

-- One row per (run, moment, state in which sessions of the server were).
CREATE TABLE wait_state (
  run_id VARCHAR NOT NULL,
  step VARCHAR NOT NULL,
  t_ns BIGINT NOT NULL,
  state VARCHAR NOT NULL,
  sessions BIGINT NOT NULL
);

-- One row per (run, step) that ran under callgrind: instructions of all threads.
CREATE TABLE instruction_count (
  run_id VARCHAR NOT NULL,
  step VARCHAR NOT NULL,
  instructions BIGINT NOT NULL,
  tool VARCHAR NOT NULL,
  cpu_features VARCHAR[] NOT NULL
);

-- One row per thing that was left out of a run because a sidecar of it is damaged.
CREATE TABLE sidecar_problem (
  run_id VARCHAR NOT NULL,
  text VARCHAR NOT NULL
);

-- One row per (run, step, op, metric, clock): what a tool's own output says and the tables
-- above do not hold, with its file and line.
CREATE TABLE tool_figure (
  run_id VARCHAR NOT NULL,
  step VARCHAR NOT NULL,
  op VARCHAR NOT NULL,
  metric VARCHAR NOT NULL,
  clock VARCHAR NOT NULL,
  value DOUBLE NOT NULL,
  unit VARCHAR NOT NULL,
  direction VARCHAR NOT NULL,
  file VARCHAR NOT NULL,
  line BIGINT NOT NULL
);

-- One row per (run, step, dump of RocksDB's statistics, level): its compaction table, all of
-- which counts since the database was opened for the step. level is L0 .. Ln or Sum. final:
-- the last dump of the step. NULL where a release has no such column.
CREATE TABLE lsm_level (
  run_id VARCHAR NOT NULL,
  step VARCHAR NOT NULL,
  dump BIGINT NOT NULL,
  final BOOLEAN NOT NULL,
  uptime_s DOUBLE,
  level VARCHAR NOT NULL,
  files BIGINT NOT NULL,
  compacting BIGINT NOT NULL,
  size_mb DOUBLE NOT NULL,
  score DOUBLE,
  read_gb DOUBLE,
  rn_gb DOUBLE,
  rnp1_gb DOUBLE,
  write_gb DOUBLE,
  wnew_gb DOUBLE,
  moved_gb DOUBLE,
  w_amp DOUBLE,
  comp_sec DOUBLE,
  compmergecpu_sec DOUBLE,
  comp_cnt DOUBLE,
  keyin DOUBLE,
  keydrop DOUBLE,
  file VARCHAR NOT NULL,
  line BIGINT NOT NULL
);

-- One row per (run, step, flush, compaction or move of files): from the database's own log.
-- Times are on the run's clock; what the log does not tell is NULL.
CREATE TABLE lsm_job (
  run_id VARCHAR NOT NULL,
  step VARCHAR NOT NULL,
  job BIGINT NOT NULL,
  kind VARCHAR NOT NULL,
  start_ns BIGINT,
  end_ns BIGINT,
  level BIGINT,
  input_levels BIGINT[] NOT NULL,
  files_in BIGINT,
  bytes_in BIGINT,
  files_out BIGINT NOT NULL,
  bytes_out BIGINT NOT NULL,
  records_in BIGINT,
  records_out BIGINT,
  cpu_ns BIGINT,
  reason VARCHAR NOT NULL,
  compression VARCHAR NOT NULL,
  lsm_state BIGINT[] NOT NULL,
  file VARCHAR NOT NULL,
  line BIGINT NOT NULL
);

-- One row per Parquet file of data/imported/.
CREATE TABLE imported_file (
  file VARCHAR NOT NULL,
  bytes BIGINT NOT NULL,
  modified_ns BIGINT NOT NULL
);

-- One row per imported value; the columns are those of the view metric.
CREATE TABLE imported_metric (
  file VARCHAR NOT NULL,
  "set" VARCHAR NOT NULL,
  machine VARCHAR NOT NULL,
  machine_id VARCHAR NOT NULL,
  engine VARCHAR NOT NULL,
  version VARCHAR NOT NULL,
  build VARCHAR NOT NULL,
  config VARCHAR NOT NULL,
  arm VARCHAR NOT NULL,
  tag VARCHAR NOT NULL,
  placement VARCHAR NOT NULL,
  dims MAP(VARCHAR, VARCHAR) NOT NULL,
  cell_id VARCHAR NOT NULL,
  run_id VARCHAR NOT NULL,
  trial BIGINT NOT NULL,
  position BIGINT NOT NULL,
  step VARCHAR NOT NULL,
  seq BIGINT NOT NULL,
  op VARCHAR NOT NULL,
  main BOOLEAN NOT NULL,
  dop BIGINT NOT NULL,
  metric VARCHAR NOT NULL,
  clock VARCHAR NOT NULL,
  value DOUBLE NOT NULL,
  unit VARCHAR NOT NULL,
  direction VARCHAR NOT NULL,
  source VARCHAR NOT NULL
);
