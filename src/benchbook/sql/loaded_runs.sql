-- One row per run folder in the store.
SELECT folder, manifest_sha256, run_id FROM run ORDER BY folder
