-- One row per figure of one table of data/published/; $name is its path below data/.
INSERT INTO imported_metric BY NAME
SELECT $name AS file, * FROM published
