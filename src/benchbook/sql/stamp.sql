-- One row per store: what it was built by.
CREATE OR REPLACE TABLE stamp AS
SELECT $schema_digest AS schema_digest, $view_digest AS view_digest
