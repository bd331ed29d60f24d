-- One row per run folder, failed and overridden runs included; position is the place in
-- which the run began.
CREATE OR REPLACE VIEW runs AS
SELECT r.* EXCLUDE (run_no, manifest_sha256, pid, mono_ns, real_ns, boot_id), o.position
FROM run AS r
JOIN run_order() AS o USING (run_id, study)
