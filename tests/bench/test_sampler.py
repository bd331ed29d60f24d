"""bench/sampler: what the machine, its devices and two trees of processes do."""

import os

import pytest
import sampler_tree
from sampler_tree import disk, put, put_process

pytest_plugins = ("sampler_fixtures",)
pytestmark = pytest.mark.engine


@pytest.fixture
def root(tmp_path):
    """A machine of files, with one device that did something and one that did not."""
    sampler_tree.put_machine(tmp_path)
    idle = "   7       0 loop0" + " 0" * 17 + "\n"
    put(tmp_path, "proc/diskstats", idle + disk("nvme0n1", 1))
    return tmp_path


def test_a_line_is_what_the_files_say(run, root):
    """Ticks are 10 ms; minor faults are all but the major; lo stands apart."""
    sampling = run("--root", root)
    found = sampling.next(2)
    sampling.stop()

    assert found["cpu_ns"] == [n * 10**7 for n in (100, 20, 30, 4000, 50, 6, 7, 8)]
    del found["cpu_ns"], found["t_ns"]
    assert found == {
        "kind": "os", "switches": 777, "forks": 500, "running": 3, "blocked": 1,
        "minor_faults": 990, "major_faults": 10, "swapped_in": 1, "swapped_out": 2,
        "mem_kib": {"total": 16074568, "free": 1000, "available": 2000, "buffers": 300,
                    "cached": 400, "dirty": 50, "writeback": 60, "swap_free": 700},
        "psi_us": {"cpu_some": 11, "io_some": 22, "io_full": 23, "memory_some": 44,
                   "memory_full": 45},
        "net": {"rx_bytes": 1900, "rx_packets": 19, "tx_bytes": 2800, "tx_packets": 28},
        "loopback_bytes": 5000, "dev": [[1, 1, *range(2, 18)]], "trees": {},
    }  # fmt: skip


def test_head_and_end(run, root):
    """First what is sampled and on which clock, last how often and at what cost."""
    head, *samples, end = run("--root", root, "--offset-ns", "-5").stop()

    assert {
        "kind": "sampler", "schema": 1, "interval_ns": 10_000_000, "cpus": 2,
        "devices": ["loop0", "nvme0n1"], "main_device": "", "events": [],
        "unsupported": {}, "offset_ns": -5,
    }.items() <= head.items()  # fmt: skip
    assert ("end", len(samples)) == (end["kind"], end["samples"])
    assert {"mono_ns", "real_ns", "boot_id", "kind"} == set(head) & set(end)
    assert head["boot_id"] == end["boot_id"]
    assert head["mono_ns"] < samples[0]["t_ns"] <= samples[-1]["t_ns"] < end["mono_ns"]
    assert 0 < end["cpu_ns"]


def test_what_the_machine_has_not_is_left_out(run, root):
    """No pressure and no network: no keys of them; older kernels tell less of a disk."""
    for name in ("cpu", "io", "memory"):
        (root / "proc" / "pressure" / name).unlink()
    (root / "proc/net/dev").unlink()
    put(root, "proc/diskstats", "   8 0 sda 1 2 3 4 5 6 7 8 9 10 11\n")
    sampling = run("--root", root)
    found = sampling.next(2)
    sampling.stop()

    assert {"psi_us", "net", "loopback_bytes", "mhz"}.isdisjoint(found)
    assert [[0, *range(1, 12)]] == found["dev"]


def test_frequency_is_the_mean_of_the_processors(run, root):
    """2000 and 3000 MHz are 2500; the files hold kHz."""
    for cpu, khz in enumerate((2_000_000, 3_000_000)):
        name = f"sys/devices/system/cpu/cpu{cpu}/cpufreq/scaling_cur_freq"
        put(root, name, f"{khz}\n")
    sampling = run("--root", root)

    assert 2500 == sampling.next(2)["mhz"]
    sampling.stop()


def test_only_devices_that_changed_are_told(run, root):
    """A device that comes later gets the next number; who is idle is not mentioned."""
    sampling = run("--root", root)
    first, second = sampling.next(2)["dev"], sampling.next()["dev"]
    text = (root / "proc/diskstats").read_text()
    (root / "new").write_text(text + disk("sdb", 9, 8, 16))
    with (root / "proc/diskstats").open("a") as file:
        file.write(disk("sdb", 9, 8, 16))
    found = sampling.wait_for(lambda line: "new_devices" in line)
    sampling.stop()

    assert ([1], []) == ([device[0] for device in first], second)
    assert (["sdb"], [[2, 9, *range(2, 18)]]) == (found["new_devices"], found["dev"])


def test_main_device_is_that_of_the_folder(run, root):
    """By its number, as the file system says it."""
    number = root.stat().st_dev
    if not os.major(number):
        pytest.skip("the file system has a number of its own here")
    line = disk("sdz", 1, os.major(number), os.minor(number))
    put(root, "proc/diskstats", disk("nvme0n1", 1) + line)

    assert "sdz" == run("--root", root, "--folder", root).stop()[0]["main_device"]


def test_bytes_of_a_bridge_are_not_counted_twice(run, root):
    """Where there is a card, the interfaces without one carry the same bytes."""
    (root / "sys/class/net/eth0/device").mkdir(parents=True)
    sampling = run("--root", root)

    assert 1000 == sampling.next(2)["net"]["rx_bytes"]
    sampling.stop()


def test_grandchild_of_the_server_is_the_servers(run, root):
    """100 is the root, 101 its server, 102 and 103 below that; 110 is the client's."""
    put_process(root, 100, [101, 110], ticks=1, io=5)
    put_process(root, 101, [102], ticks=10, io=50)
    put_process(root, 102, [103], ticks=100, io=500)
    put_process(root, 103, ticks=1000, io=5000)
    put_process(root, 110, ticks=2, io=7)
    put(root, "server.pid", "101 900\n")
    sampling = run("--root", root, "--pid", 100, "--server-file", root / "server.pid")
    trees = sampling.next(2)["trees"]
    sampling.stop()

    page_kib = os.sysconf("SC_PAGESIZE") // 1024
    assert trees["server"] == {
        "user_ns": 3 * 1110 * 10**7, "system_ns": 3 * 3 * 10**7,
        "minor_faults": 3 * 3, "major_faults": 3 * 7, "read_bytes": 5550,
        "written_bytes": 11100, "processes": 3, "rss_kib": 30 * page_kib,
    }  # fmt: skip
    assert (2, 12) == (trees["client"]["processes"], trees["client"]["read_bytes"])
    assert 3 * 3 * 10**7 == trees["client"]["user_ns"]


def test_pid_file_of_an_earlier_process_is_no_server(run, root):
    """The number is that of another process, which began at another time."""
    put_process(root, 100, [101])
    put_process(root, 101)
    put(root, "server.pid", "101 899\n")
    sampling = run("--root", root, "--pid", 100, "--server-file", root / "server.pid")
    trees = sampling.next(2)["trees"]
    sampling.stop()

    assert {"client"} == set(trees)


def test_server_is_found_when_its_file_appears(run, root):
    """Until then it is of the client; what the client was told to have used stays."""
    put_process(root, 100, [101], ticks=1)
    put_process(root, 101, ticks=10)
    sampling = run("--root", root, "--pid", 100, "--server-file", root / "server.pid")
    before = sampling.next(2)["trees"]
    put(root, "server.pid", "101 900\n")
    after = sampling.wait_for(lambda line: "server" in line["trees"])["trees"]
    sampling.stop()

    assert {"client"} == set(before)
    assert [1, 1] == [after[tree]["processes"] for tree in ("server", "client")]
    assert before["client"]["user_ns"] == after["client"]["user_ns"]


def test_new_processes_are_looked_for_after_forks(run, root):
    """Without a fork since the boot there can be none; with one they are found."""
    put_process(root, 100, [101])
    put_process(root, 101)
    sampling = run("--root", root, "--pid", 100)
    assert 2 == sampling.next(4)["trees"]["client"]["processes"]
    put_process(root, 102)
    put(root, "proc/100/task/100/children", "101 102 ")
    same = sampling.next(3)["trees"]["client"]["processes"]
    sampler_tree.put_machine(root, forks=501)
    sampling.wait_for(lambda line: line["trees"]["client"]["processes"] == 3)
    sampling.stop()

    assert 2 == same


def test_bytes_of_processes_that_are_not_ours_are_left_out(run, root):
    """Without the permission to read them there are no keys, rather than zeros."""
    put_process(root, 100)
    (root / "proc/100/io").unlink()
    sampling = run("--root", root, "--pid", 100)
    client = sampling.next(2)["trees"]["client"]
    sampling.stop()

    assert {"user_ns", "processes"} < set(client)
    assert {"read_bytes", "written_bytes"}.isdisjoint(client)
