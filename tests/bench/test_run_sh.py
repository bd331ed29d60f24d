"""bench/run.sh: a run folder is complete, verified and readable, or it does not exist."""

import hashlib
import json
import os
import subprocess
from pathlib import Path

import pytest
from places import BENCH

END = '{"kind":"end","status":"ok"}'


@pytest.fixture
def driver(tmp_path):
    """A program that prints what it is told, from the folder --bin."""
    file = tmp_path / "bin" / "driver"
    file.parent.mkdir()
    file.write_text('#!/bin/bash\nfor line; do printf "%s\\n" "$line"; done\n')
    file.chmod(0o755)
    return file


def run(driver, *arguments, options=(), **environ):
    """Call run.sh into <tmp>/data/raw/s/m/tag/dop1.t1."""
    dest = driver.parents[1] / "data" / "raw" / "s" / "m" / "tag" / "dop1.t1"
    words = [BENCH / "run.sh", "--bin", driver.parent, *options, '{"schema":1}', dest]
    return subprocess.run(
        [*map(str, words), "driver", *arguments],
        capture_output=True, text=True, check=False, env=os.environ | environ,
    )  # fmt: skip


def folder_of(done) -> Path:
    return Path(done.stdout.strip())


def manifest(folder: Path):
    return json.loads((folder / "manifest.json").read_text())


def test_finished_run_lists_every_file_with_its_digest(driver):
    """manifest.json holds the sha256 of each file but itself."""
    done = run(driver, END)
    found = manifest(folder_of(done))
    names = {p.name for p in folder_of(done).iterdir()} - {"manifest.json"}

    assert 0 == done.returncode
    assert names == set(found["files"])
    for name, facts in found["files"].items():
        content = (folder_of(done) / name).read_bytes()
        assert facts["sha256"] == hashlib.sha256(content).hexdigest()


def test_environment_is_recorded_as_json(driver):
    """env.json parses and never names the host."""
    env = json.loads((folder_of(run(driver, END)) / "env.json").read_text())

    assert {"kernel", "cpu_model", "before", "after", "exit_code"} <= set(env)
    assert os.uname().nodename not in json.dumps(env).split('"')


def test_driver_without_end_record_is_a_failed_run(driver):
    """A truncated output keeps its folder and says why."""
    done = run(driver, '{"kind":"run"}')

    assert 1 == done.returncode
    assert "failed" == manifest(folder_of(done))["status"]
    assert "without an end record" in manifest(folder_of(done))["reason"]


def test_reason_is_the_last_line_of_stderr(driver):
    """A failing driver's own words become the reason."""
    driver.write_text("#!/bin/bash\necho one >&2\necho 'no such table' >&2\nexit 1\n")
    done = run(driver)

    assert "no such table" == manifest(folder_of(done))["reason"]


def test_signal_is_named(driver):
    """A driver killed by the kernel did not exit by itself."""
    driver.write_text("#!/bin/bash\nkill -9 $$\n")

    assert "killed by signal 9" in manifest(folder_of(run(driver)))["reason"]


def test_secret_reaches_the_driver_and_no_file(driver):
    """${NAME} is the environment's value in the call and *** in every file."""
    done = run(driver, "--password=${SHIBBOLETH}", END, SHIBBOLETH="open sesame")
    folder = folder_of(done)
    text = subprocess.run(
        ["zstd", "-dcf", folder / "driver.jsonl.zst"], capture_output=True, text=True,
        check=True,
    ).stdout  # fmt: skip

    assert "--password=***" in text
    assert not any(b"open sesame" in p.read_bytes() for p in folder.iterdir())


@pytest.mark.parametrize(
    "secret", ['se"same', "ses\\ame", "se\nsame", "se\tsame", "same\\"]
)
def test_secret_is_hidden_in_json_too(driver, secret):
    """What a driver writes of its output has quotes, backslashes and lines escaped."""
    own = json.dumps(secret).replace("\\n", "\\u000a").replace("\\t", "\\u0009")
    inside = json.dumps(json.dumps(secret))
    said = driver.with_name("said")
    said.write_text(f"[{own}, {json.dumps(secret)}, {inside}]\n")
    driver.write_text(f"#!/bin/bash\ncat {said}\n")
    folder = folder_of(run(driver, "${SHIBBOLETH}", SHIBBOLETH=secret))
    text = subprocess.run(
        ["zstd", "-dcf", folder / "driver.jsonl.zst"], capture_output=True, text=True,
        check=True,
    ).stdout  # fmt: skip

    assert '["***", "***", "\\"***\\""]' == text.strip()


def test_what_cannot_be_searched_for_secrets_is_not_kept(driver, tmp_path):
    """A grep that fails has not said that no file holds one: no run folder, no part."""
    grep = tmp_path / "programs" / "grep"
    grep.parent.mkdir()
    grep.write_text(
        '#!/bin/sh\ncase $1 in -rlFZ) exit 2 ;; esac\nexec /usr/bin/grep "$@"\n'
    )
    grep.chmod(0o755)
    path = f"{grep.parent}:{os.environ['PATH']}"
    options = {"SHIBBOLETH": "open sesame", "PATH": path}
    done = run(driver, "--password=${SHIBBOLETH}", END, **options)
    kept = [p for p in (tmp_path / "data").rglob("*") if p.is_file()]

    assert (3, "") == (done.returncode, done.stdout)
    assert "for what must not be kept" in done.stderr
    assert [] == kept


@pytest.fixture
def noted(tmp_path):
    """All programs of the system, noting their arguments in the file beside them."""
    programs = tmp_path / "noted"
    programs.mkdir()
    note = tmp_path / "note"
    note.write_text(
        f'#!/bin/sh\necho "${{0##*/}} $*" >>{tmp_path}/arguments\n'
        'exec "/usr/bin/${0##*/}" "$@"\n'
    )
    note.chmod(0o755)
    for program in Path("/usr/bin").iterdir():
        (programs / program.name).symlink_to(note)
    return programs


def test_no_program_has_a_secret_among_its_arguments(driver, noted):
    """The arguments of a process are there for every user of the machine to read."""
    driver.write_text(f"#!/bin/bash\necho 'db7.example: no alice' >&2; echo '{END}'\n")
    place = "host=db7.example user=alice password='open sesame'"
    done = run(driver, "--target", "env:PLACE", PATH=str(noted), PLACE=place)
    arguments = (noted.parent / "arguments").read_text()

    assert "***: no ***\n" == (folder_of(done) / "stderr.log").read_text()
    assert "sha256sum" in arguments
    for secret in ("db7.example", "db7", "alice", "sesame"):
        assert secret not in arguments


@pytest.mark.slow
@pytest.mark.parametrize(
    "word", ["a<b", "a.b", "[x]^$", "a*(b)+{c}|d?", r"c:\d", "a/b", "&12", "<é>"]
)
def test_word_of_odd_characters_is_hidden_as_it_is(driver, word):
    """None of them is an operator of a pattern; what is only like it stays."""
    script = f"#!/bin/bash\necho '({word}) {word} {word}, but X{word} and aXb' >&2\n"
    driver.write_text(script + f"echo '{END}'\n")
    done = run(driver, "--target", "env:PLACE", PLACE=f"host=h user={word}")

    assert (
        f"(***) *** ***, but X{word} and aXb\n"
        == (folder_of(done) / "stderr.log").read_text()
    )


def test_unset_variable_is_one_sentence(driver):
    """A study that names a variable which is not set does not run."""
    done = run(driver, "${NOT_SET_ANYWHERE}")

    assert 2 == done.returncode
    assert "NOT_SET_ANYWHERE is not set" in done.stderr


def test_target_is_a_fresh_folder_and_gone_afterwards(driver):
    """{target} exists while the driver runs and leaves no trace."""
    driver.write_text(f'#!/bin/bash\necho "$1" >&2; touch "$1/db"; echo \'{END}\'\n')
    folder = folder_of(run(driver, "{target}"))
    target = Path((folder / "stderr.log").read_text().strip())

    assert target.parent == folder.parents[4] / "scratch"
    assert not target.exists()


def test_unwritable_parent_leaves_nothing(driver):
    """Where the folder cannot be made, exit 3 and one sentence."""
    blocked = driver.parents[1] / "data"
    blocked.write_text("a file, not a folder")
    done = run(driver, END)

    assert 3 == done.returncode
    assert "cannot make" in done.stderr


def test_interrupted_run_is_removed(driver):
    """SIGTERM stops the driver and removes the partial folder."""
    driver.write_text("#!/bin/bash\nsleep 30\n")
    dest = driver.parents[1] / "data" / "raw" / "s" / "m" / "tag" / "dop1.t1"
    process = subprocess.Popen(
        [BENCH / "run.sh", "--bin", driver.parent, '{"schema":1}', dest, "driver"]
    )
    while not list(dest.parent.glob(".partial-*/driver.jsonl")):
        assert process.poll() is None
    process.terminate()
    process.wait(timeout=10)

    assert [] == list(dest.parent.iterdir())


@pytest.mark.parametrize("script", ["run.sh", "sampler/remote.sh"])
def test_a_child_that_is_not_its_program_yet_removes_nothing(script, tmp_path):
    """One that is told to end before it has left the shell's traps behind."""
    text = (BENCH / script).read_text()
    cleanup = text[text.index("cleanup() {") :].partition("\n}\n")[0] + "\n}\n"
    call = "child='' sidecars=() target='' partial=$1 work=$1\n"
    call += "(cleanup)\nls $1\ncleanup\nls $1"
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "driver.jsonl").touch()
    words = ["bash", "-c", cleanup + call, "_", str(tmp_path / "run")]
    done = subprocess.run(words, capture_output=True, text=True, check=False)

    assert "driver.jsonl\n" == done.stdout
    assert "cannot access" in done.stderr
