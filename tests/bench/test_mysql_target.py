"""bench/engines/mysql/target.c: forms of a target, and what is kept out of messages."""

import ctypes
import os
import subprocess

import pytest
from places import BENCH

pytestmark = pytest.mark.engine

HEADERS = [
    f"-I{root}/include/mariadb"
    for root in ("/usr", os.environ.get("CONDA_PREFIX", "/opt"))
]
FIELDS = ("host", "socket", "user", "password", "dbname", "port")


class Target(ctypes.Structure):
    """struct target of mysql/engine.h."""

    _fields_ = [(name, ctypes.c_char * 256) for name in FIELDS]


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The file alone, as a library."""
    out = tmp_path_factory.mktemp("target") / "target.so"
    words = [
        "gcc", "-std=c11", "-D_GNU_SOURCE", "-shared", "-fPIC", "-I", BENCH,
        *HEADERS, "-o", out, BENCH / "engines/mysql/target.c",
    ]  # fmt: skip
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr
    return ctypes.CDLL(out)


def read(library, text):
    """The values that are not empty; a sentence if it is no target."""
    target, why = Target(), ctypes.create_string_buffer(512)
    library.mye_target_read.restype = ctypes.c_bool
    if library.mye_target_read(ctypes.byref(target), text.encode(), why, len(why)):
        values = {name: getattr(target, name).decode() for name in FIELDS}
        return {name: value for name, value in values.items() if value}
    return why.value.decode()


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("", {"dbname": "ib"}),
        (" socket=/s  user=root\n", {"socket": "/s", "user": "root", "dbname": "ib"}),
        (
            "host=h port=3306 dbname=d password='a b\\'c\\\\'",
            {"host": "h", "port": "3306", "dbname": "d", "password": "a b'c\\"},
        ),
        ("password=a'b@c/d", {"password": "a'b@c/d", "dbname": "ib"}),
        (
            "mysql://u:p%40%3A@h:3307/d",
            {"user": "u", "password": "p@:", "host": "h", "port": "3307", "dbname": "d"},
        ),
        ("mariadb://h", {"host": "h", "dbname": "ib"}),
        ("mysql://u@h/d", {"user": "u", "host": "h", "dbname": "d"}),
    ],
)
def test_forms_of_a_target(library, text, values):
    """Words with values that may be quoted, or a URI; the database is ib unless named."""
    assert values == read(library, text)


@pytest.mark.parametrize(
    "text",
    [
        "hidden",
        "hidden=1",
        "user hidden",
        "password='hidden",
        "password='hidden'x",
        "port=hidden",
        "port=65536",
        "password=" + "hidden" * 50,
        "mysql://u:hidden%4",
        "mysql://h/hidden?ssl=1",
    ],
)
def test_what_is_no_target_is_not_repeated(library, text):
    """One sentence that says the form and holds nothing of what was given."""
    sentence = read(library, text)

    assert sentence.startswith("the target cannot be read: expected words like host=H")
    assert "hidden" not in sentence


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("Table 'ib.pi1' doesn't exist", "Table '***.pi1' doesn't exist"),
        ("it is possible; IB", "it is possible; ***"),
        (
            "INSERT denied to user 'hugo'@'10.1.2.3' for table 'pi1'",
            "INSERT denied to user *** for table 'pi1'",
        ),
        ("user hugo, hugo_2, ge heim", "user ***, hugo_2, ***"),
        ("cannot reach DB.example.org (db.example.org)", "cannot reach *** (***)"),
        ("from 192.168.0.17: 3 of 10.11.19.", "from ***: 3 of 10.11.19."),
        ("at fe80::1:2, /run/s (2)", "at ***, *** (2)"),
        ("two\nlines", "two lines"),
    ],
)
def test_messages_are_scrubbed(library, text, clean):
    """Values of the target as whole words, accounts and addresses give way to stars."""
    target = Target(
        b"db.example.org", b"/run/s", b"hugo", b"ge heim", b"ib", b"3306"
    )  # fmt: skip
    out = ctypes.create_string_buffer(512)
    library.mye_scrub(ctypes.byref(target), text.encode(), out, len(out))

    assert clean == out.value.decode()


def test_a_long_message_is_cut(library):
    """The buffer is never left, whatever the stars add."""
    target, out = Target(user=b"u"), ctypes.create_string_buffer(16)
    library.mye_scrub(ctypes.byref(target), b"u " * 20, out, 12)

    assert b"*** *** " == out.value
    assert b"\0" * 4 == out.raw[12:]
