-- One row per run folder in the store.
SELECT folder, manifest_sha256, run_id, boot_id, pid, mono_ns FROM run ORDER BY folder
