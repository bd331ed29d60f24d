-- One row per value of one Parquet file of data/imported/; $name is its file name.
INSERT INTO imported_metric BY NAME
SELECT $name AS file, * FROM read_parquet($file)
