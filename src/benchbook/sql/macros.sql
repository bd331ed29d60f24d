-- Histogram buckets to values; src/benchmath/latency/buckets.py says the same in Python.
CREATE OR REPLACE MACRO bucket_width(bucket, sub_bits) AS
  1::BIGINT << greatest((bucket >> sub_bits) - 1, 0);

CREATE OR REPLACE MACRO bucket_lower(bucket, sub_bits) AS
  CASE
    WHEN bucket < (1::BIGINT << sub_bits) THEN bucket
    ELSE (bucket % (1::BIGINT << sub_bits) + (1::BIGINT << sub_bits))
      * bucket_width(bucket, sub_bits)
  END;

CREATE OR REPLACE MACRO bucket_value(bucket, sub_bits) AS
  bucket_lower(bucket, sub_bits) + (bucket_width(bucket, sub_bits) - 1) / 2;

-- How many of n values lie at or below the percentile given in thousandths.
CREATE OR REPLACE MACRO percentile_rank(n, permille) AS
  (n::BIGINT * permille + 999) // 1000;

-- What a counter went up by. One that went down lost something (a process whose parent did
-- not wait for it, iowait as the kernel counts it): nothing was seen of it then.
CREATE OR REPLACE MACRO counted_since(after, before) AS
  CASE WHEN after >= before THEN after - before WHEN after < before THEN 0 END;

-- The same of the milliseconds of a device, of which the kernel keeps 32 bits.
CREATE OR REPLACE MACRO ms_since(after, before) AS
  (after - before + 4294967296) % 4294967296;

-- What costs are divided by: queries or scans, else rows; NULL where there are none, as of
-- steps that process bytes or clean up.
CREATE OR REPLACE MACRO operations_of(op, ops, rows) AS
  nullif(CASE WHEN op IN ('query', 'scan', 'run') THEN ops WHEN op <> 'bytes' THEN rows END, 0);

-- Has a step a rate that is a result? What pays the debts of earlier writes has none: each
-- arm is left with other debts. Whoever wonders how long it took has elapsed_s.
CREATE OR REPLACE MACRO is_rated(driver, step, op) AS
  step <> 'cleanup' AND NOT (op = 'bytes' AND driver IN ('ingest', 'sql'));
