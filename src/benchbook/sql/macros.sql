-- Histogram buckets to values; src/benchbook/histogram.py says the same in Python.
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
