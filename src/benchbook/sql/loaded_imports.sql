-- One row per imported Parquet file in the store.
SELECT file, bytes, modified_ns FROM imported_file ORDER BY file
