-- The tables of data/benchbook.duckdb, filled by benchbook.load and by nothing else.
-- A change here makes the next load build the store anew.

-- One row per run folder, failed and overridden runs included.
CREATE TABLE run (
  run_id VARCHAR PRIMARY KEY,
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
  position BIGINT NOT NULL,
  status VARCHAR NOT NULL,
  reason VARCHAR NOT NULL,
  overridden BOOLEAN NOT NULL,
  started TIMESTAMP NOT NULL,
  elapsed_s DOUBLE NOT NULL,
  dims MAP(VARCHAR, VARCHAR) NOT NULL,
  folder VARCHAR NOT NULL,
  env JSON NOT NULL,
  settings JSON,
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

-- One row per (run, step, op, second).
CREATE TABLE sample (
  run_id VARCHAR NOT NULL,
  step VARCHAR NOT NULL,
  op VARCHAR NOT NULL,
  t_ns BIGINT NOT NULL,
  interval_ns BIGINT NOT NULL,
  ops BIGINT NOT NULL,
  rows BIGINT NOT NULL,
  max_ns BIGINT NOT NULL,
  clients BIGINT[] NOT NULL
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
  machine_cpu_ns BIGINT,
  switches BIGINT,
  reads BIGINT,
  read_bytes BIGINT,
  writes BIGINT,
  written_bytes BIGINT,
  server_read_bytes BIGINT,
  server_written_bytes BIGINT,
  log_bytes BIGINT,
  folder_bytes BIGINT
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
