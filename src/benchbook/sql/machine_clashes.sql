-- One row per (study, machine name) that stands for more than one machine.
SELECT study, machine, list_sort(list(DISTINCT machine_id)) AS machine_ids
FROM run
GROUP BY study, machine
HAVING count(DISTINCT machine_id) > 1
ORDER BY study, machine
