"""Flame graphs: what is drawn without a script, and what a post makes of it."""

from __future__ import annotations

import re

import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from profile_frames import BASE, ME, RUNS, costs, joined, stacks, two_versions

from benchbook.charts.flame import KINDS, flame, flame_difference
from benchbook.posts.clean import cleaned
from benchmath.profiles.paths import flame_change, flame_paths

pytestmark = pytest.mark.unit

FRAME = re.compile(
    r'<svg x="([\d.]+)%" y="(\d+)" width="([\d.]+)%" height="19"><title>(.*?)</title>'
    r'<rect width="100%" height="100%" fill="(#\w+)"[^>]*/>(?:<text[^>]*>(.*?)</text>)?',
    re.DOTALL,
)


def frames(graph) -> list[tuple[str, ...]]:
    """x, y, width, tooltip, colour and label of each frame."""
    return FRAME.findall(graph.html)


def graph():
    return flame(flame_paths(stacks("r", {"a;b": 3, "a;c": 5}), costs(r=8)))


def test_width_is_cost_and_place_is_the_caller():
    """c has 5 of the 8 us of a, b the other 3, beside each other below a."""
    drawn = [(x, y, width) for x, y, width, *_ in frames(graph())]

    rows = ["22", "42", "62", "62"]
    assert [("0", "100"), ("0", "100"), ("0", "62.5"), ("62.5", "37.5")] == [
        (x, width) for x, _, width in drawn
    ]
    assert rows == [y for _, y, _ in drawn]


def test_a_tooltip_without_a_script():
    """Name, cost, share, and what of it is the frame's own."""
    tips = [tip for *_, tip, _, _ in frames(graph())]

    assert "c\n5 µs/op, 62.5% of all, itself 5" == tips[2]
    assert "a\n8 µs/op, 100.0% of all, itself 0" == tips[1]


def test_title_and_axis_say_the_unit():
    """Microseconds per operation, not percent."""
    page = graph().html

    assert "time goes (µs/op)</div>" in page
    assert ["0", "2", "4", "6", "µs/op"] == re.findall(
        r'<text[^>]*y="14"[^>]*>([^<]*)</text>', page.partition("flame-frames")[0]
    )


def test_without_costs_all_is_percent():
    """The axis goes to 100%."""
    page = flame(flame_paths(stacks("r", {"a;b": 3, "a;c": 5}))).html

    assert "time goes (share)" in page
    assert 'data-unit="%"' in page


def test_kinds_of_frames_are_colours_and_marks():
    """Kernel, inlined, compiled at run time, unknown: told apart without colours too."""
    made = stacks("r", {"a;i;j;[lib.so];k": 1}, kinds="uijuk")
    drawn = frames(flame(flame_paths(made)))[1:]

    kinds = ("user", "inlined", "jit", "unknown", "kernel")
    assert ["a", "i [i]", "j [j]", "[lib.so] [?]", "k [k]"] == [f[5] for f in drawn]
    assert [KINDS[kind][0] for kind in kinds] == [f[4] for f in drawn]


def test_labels_fit_their_frames():
    """A name is cut where the frame ends, and left out where nothing of it fits."""
    made = stacks("r", {"a_very_long_name_of_a_function": 5, "b" * 40: 94, "c": 1})
    labels = {f[3].partition("\n")[0]: f[5] for f in frames(flame(flame_paths(made)))}

    assert "a_ver" == labels["a_very_long_name_of_a_function"]
    assert "" == labels["c"]


def test_names_of_cpp_cannot_break_the_page():
    """Templates hold angle brackets, operators an ampersand."""
    page = flame(flame_paths(stacks("r", {'map<int,"x">&&</svg>': 1}))).html

    assert "map&lt;int,&quot;x&quot;&gt;&amp;&amp;&lt;/svg&gt;" in page
    assert 3 + 1 == page.count("</svg>") + page.count("</figure>")


def test_the_same_frames_give_the_same_text():
    """No id, no time, no chance."""
    assert graph().html == graph().html
    assert ' id="' not in graph().html


def test_a_graph_is_small_whatever_the_names():
    """Thousands of long names of C++ are 150 KB at most."""
    made = joined(
        *(stacks(run, {f"{'n' * 90}{i % 20};{'m' * 300}{i}": 100 for i in range(2000)})
          for run in ("b1", "m1"))
    )  # fmt: skip
    tree = flame_change(made, costs(b1=8, m1=9), RUNS, BASE, ME)

    assert len(flame_difference(tree).html.encode()) < 150_000
    assert len(flame(flame_paths(made)).html.encode()) < 150_000


def test_a_difference_is_a_colour_where_it_is_sure():
    """What is new is orange and marked; what stayed is grey."""
    drawn = frames(flame_difference(flame_change(*two_versions(), RUNS, BASE, ME)))

    assert [("work", "#D5D9DD"), ("▲ spin", "#F28E2B")] == [
        (f[5], f[4]) for f in drawn[2:]
    ]
    assert drawn[3][3].startswith("▲ spin\n0 → 2 µs/op (+2)\nitself 0 → 2\n")


def test_less_is_blue_and_the_old_version_can_be_drawn():
    """The other way round spin is gone: not drawn, said, and drawn with width="base"."""
    tree = flame_change(*two_versions(), RUNS, ME, BASE)
    new, old = flame_difference(tree), flame_difference(tree, width="base")

    assert "Not drawn: 2 µs/op that 2 spends in functions of its own." in new.html
    assert "spin" not in new.html
    assert ("▼ spin", "#4DAEE8") == (frames(old)[3][5], frames(old)[3][4])


def test_no_difference_is_said():
    """A legend without a scale."""
    made = joined(*(stacks(run, {"f": 900}) for run in ("b1", "b2", "m1", "m2")))
    tree = flame_change(made, costs(b1=7, b2=8, m1=7, m2=8), RUNS, BASE, ME)

    assert "No frame's own change is told from noise." in flame_difference(tree).html


def test_a_post_keeps_the_graph_as_it_is():
    """It is HTML of a notebook without ids, scripts and other hosts."""
    output = new_output("display_data", data={"text/html": graph()._repr_html_()})
    made = cleaned(new_notebook(cells=[new_code_cell("show()", outputs=[output])]))

    text = made.cells[0].outputs[0].data["text/markdown"]
    assert graph().html in text
    assert "<flame graph of 4 frames>" == repr(graph())


def test_an_empty_profile_is_no_graph():
    """It is refused rather than drawn."""
    with pytest.raises(ValueError, match="no stacks"):
        flame_paths(stacks("r", {"a": 1}).head(0))
