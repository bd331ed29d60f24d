-- One row per run folder, failed and overridden runs included.
CREATE OR REPLACE VIEW runs AS
SELECT * EXCLUDE (manifest_sha256)
FROM run
