"""What RocksDB's own LOG says of flushes, compactions and moves."""

import pytest

from benchformats.db_bench.jobs import read_jobs

pytestmark = pytest.mark.unit
LOG = """\
2026/11/23-15:53:27.83 7284 Fast CRC32 supported: Not supported on x86
2026/11/23-15:53:27.87 7286 EVENT_LOG_v1 {"time_micros": 1000, "job": 2, \
"event": "flush_started", "num_memtables": 1, "num_entries": 90, \
"total_data_size": 3900, "flush_reason": "Write Buffer Full"}
2026/11/23-15:53:27.89 7286 EVENT_LOG_v1 {"time_micros": 1500, "cf_name": "default", \
"job": 2, "event": "table_file_creation", "file_number": 8, "file_size": 2100}
2026/11/23-15:53:27.89 7286 (Original Log Time 2026/11/23-15:53:27.89) EVENT_LOG_v1 \
{"time_micros": 1600, "job": 2, "event": "flush_finished", \
"output_compression": "Snappy", "lsm_state": [1, 0, 0]}
2026/11/23-15:53:27.96 7285 EVENT_LOG_v1 {"time_micros": 2000, "job": 3, \
"event": "trivial_move", "destination_level": 1, "files": 1, "total_files_size": 2100}
2026/11/23-15:53:28.28 7285 EVENT_LOG_v1 {"time_micros": 3000, "job": 4, \
"event": "compaction_started", "compaction_reason": "LevelL0FilesNum", \
"files_L0": [55, 53], "files_L1": [36], "input_data_size": 6300}
2026/11/23-15:53:28.28 7285 EVENT_LOG_v1 {"time_micros": 3200, "cf_name": "default", \
"job": 4, "event": "table_file_creation", "file_number": 9, "file_size": 5000}
2026/11/23-15:53:28.72 7285 EVENT_LOG_v1 {"time_micros": 3900, "job": 4, \
"event": "compaction_finished", "compaction_time_cpu_micros": 85, "output_level": 1, \
"num_output_files": 1, "total_output_size": 5000, "num_input_records": 270, \
"num_output_records": 200, "lsm_state": [0, 1, 0]}
2026/11/23-15:53:28.90 7285 EVENT_LOG_v1 {"time_micros": 4000, "job": 5, "event": "fl
"""


def test_events_of_a_job_are_put_together():
    """A flush wrote what its tables have; a compaction says it itself."""
    jobs = read_jobs(LOG)

    assert [
        ("flush", 2, 1000, 1600, 0, 3900, 1, 2100),
        ("move", 3, 2000, 2000, 1, 2100, 1, 2100),
        ("compaction", 4, 3000, 3900, 1, 6300, 1, 5000),
    ] == [
        (j.kind, j.number, j.start_us, j.end_us, j.level, j.bytes_in, j.files_out,
         j.bytes_out)
        for j in jobs
    ]  # fmt: skip


def test_inputs_of_a_compaction_are_told_by_level():
    """Two files of L0 and one of L1; afterwards one is left, in L1."""
    job = read_jobs(LOG)[2]

    assert ((0, 1), 3, (0, 1, 0)) == (job.input_levels, job.files_in, job.lsm_state)


def test_a_compaction_that_was_cut_off_has_no_end():
    """The database was closed while it went on."""
    [*_, job] = read_jobs(LOG.split("2026/11/23-15:53:28.72")[0])

    assert (3000, None, 0) == (job.start_us, job.end_us, job.bytes_out)


@pytest.mark.parametrize("text", ["", "EVENT_LOG_v1 []\n", 'EVENT_LOG_v1 {"job": 1}\n'])
def test_what_is_no_event_is_passed_over(text):
    """Nothing is made of it."""
    assert [] == read_jobs(text)
