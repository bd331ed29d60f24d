-- Every row of the imported files that the relation gone names.
DELETE FROM imported_metric WHERE file IN (SELECT file FROM gone);
DELETE FROM imported_file WHERE file IN (SELECT file FROM gone);
