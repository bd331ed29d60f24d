"""hosts.yml, and what is wrong with one."""

from __future__ import annotations

import pytest

from benchbook.fleet.hosts import read_hosts
from benchbook.study.cell import Cell
from benchmath.errors import UserError

pytestmark = pytest.mark.unit


def written(tmp_path, text: str):
    file = tmp_path / "hosts.yml"
    file.write_text(text)
    return file


def test_hosts_are_read(tmp_path):
    text = (
        "hosts:\n"
        "  - {name: bee, ssh: bench@bee, cpus: 0-3, only: {engine: [mysql, mariadb]}}\n"
        "  - {name: wasp, ssh: wasp, folder: /srv/bench}\n"
        "patience: 10\n"
    )
    fleet = read_hosts(written(tmp_path, text))
    bee, wasp = fleet.hosts

    assert ("bee", "bench@bee", "benchbook", "0-3") == (
        bee.name, bee.ssh, bee.folder, bee.cpus
    )  # fmt: skip
    assert ("/srv/bench", 10.0) == (wasp.folder, fleet.patience_s)
    assert not bee.may_run(Cell("sqlite", steps=()))
    assert wasp.may_run(Cell("sqlite", steps=()))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("hosts: []", "no list `hosts`"),
        ("- bee", "write hosts: [{name: bee"),
        ("hosts: [{name: a, ssh: a}]\npatience: x", "patience 'x': write seconds"),
        ("hosts: [{name: a, ssh: a, only: sqlite}]", "write {engine: [postgres]}"),
        ("host: []", "unknown key 'host'"),
        ("hosts: [bee]", "a host is {name: ..., ssh: ...}, not 'bee'"),
        ("hosts: [{name: bee, ssh: a, cpu: 1}]", "unknown key 'cpu'; available: name"),
        ("hosts: [{name: a b, ssh: a}]", "name 'a b': use letters"),
        ("hosts: [{name: a, ssh: -oProxyCommand=x}]", "write user@address"),
        ("hosts: [{name: a, ssh: a, folder: 'x; rm y'}]", "a plain path"),
        ("hosts: [{name: a, ssh: a, cpus: all}]", "write 0-3 or 0,2"),
        ("hosts: [{name: a, ssh: a}, {name: a, ssh: b}]", "two hosts have the name 'a'"),
    ],
)
def test_mistake_is_one_sentence(tmp_path, text, sentence):
    with pytest.raises(UserError) as error:
        read_hosts(written(tmp_path, text))
    assert sentence in str(error.value)


def test_missing_file_is_one_sentence(tmp_path):
    with pytest.raises(UserError, match="no such file; write the hosts there"):
        read_hosts(tmp_path / "hosts.yml")
