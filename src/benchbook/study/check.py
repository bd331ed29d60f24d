"""What of a cell's keys and dimensions go together: one sentence where they do not."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchbook.commands.commands import REVISION, SCRATCH, Commands
from benchbook.study.cell import OF_A_SERVER, TAKEN, Cell, Step
from benchbook.study.drivers import Driver
from benchbook.study.script import COMMANDS, Script
from benchbook.study.workload import DISTANCE, Workload, wrong_let
from benchmath.errors import UserError
from benchmath.prose import joined
from benchmath.versions import begins_with

# Sources whose packages are replaced by newer ones: `version: "15"` then means any 15.N.
MOVING = ("debian", "bullseye", "trixie", "sid")
# What a template's notebook compares: without it there is nothing to show in the end.
OF_TEMPLATE = {"compilers": "block_size"}
# Of the vocabulary, what is no placeholder of a command and can yet be a dimension.
OF_COMMANDS = ("placement", "arm")
UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30}
Ran = Workload | Script | Commands  # a file that a driver runs
NULL = "null"  # answers whatever is asked, and stores nothing


def check_cell(cell: Cell, driver: Driver, where: Path) -> None:
    """Refuse a cell that says two things at once, or one that has no meaning."""
    complaint = _origin(cell, driver) or _dimensions(cell, driver)
    if complaint:
        raise UserError(f"{where}: engine {cell.engine}: {complaint}")


def check_template(template: str, cells: Sequence[Cell], where: Path) -> None:
    """Refuse a template whose dimension the cells have not, before they are measured."""
    needed = OF_TEMPLATE.get(template)
    if needed and not all(needed in dict(cell.dims) for cell in cells):
        raise UserError(
            f"{where}: template {template} compares by {needed}, which not every cell "
            f"has: put it in the matrix, or use the template engine-builds"
        )


def check_steps(cell: Cell, driver: Driver, where: Path, ran: Ran | None = None) -> None:
    """Refuse an engine or a step that the driver would refuse when it is started."""
    if cell.engine not in driver.steps:
        raise UserError(
            f"{where}: driver {driver.name} has no engine {cell.engine!r}; "
            f"available: {', '.join(driver.steps)}"
        )
    _check_twins(cell.steps, where)
    if isinstance(ran, Script):
        _check_scripted(cell.steps, where)
        return
    steps = (*driver.steps[cell.engine], *(ran.kinds if ran else ()))
    for step in cell.steps:
        if step.step not in steps:
            raise UserError(
                f"{where}: driver {driver.name} has no step {step.step!r} of "
                f"{cell.engine}; available: {', '.join(steps)}"
            )
        if step.size and driver.whole_seconds and not _is_whole(step):
            raise UserError(
                f"{where}: step {step}: {driver.name} takes whole seconds for a "
                "test, nothing for load, index and postwrite; write "
                f"{step.step}:seconds=10, or {step.step} alone"
            )
        wrong = [key for key in step.settings if key not in driver.sizes]
        if wrong and not driver.sizes:
            raise UserError(
                f"{where}: step {step}: {driver.name} decides how long a step takes; "
                f"write {step.step} alone"
            )
        if wrong:
            raise UserError(
                f"{where}: step {step}: {driver.name} has no {wrong[0]}; "
                f"available: {', '.join(driver.sizes)}"
            )
        _check_whole(step, driver, where)
    _check_indexed(cell, driver, where)
    if isinstance(ran, Workload):
        _check_words(cell, ran, where)
        _check_tables(cell, ran, where)


def _check_twins(steps: Sequence[Step], where: Path) -> None:
    """What a run measures is known by the names of its steps."""
    names = [step.step for step in steps]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise UserError(f"{where}: step {twice} is listed twice; keep one")


def _check_whole(step: Step, driver: Driver, where: Path) -> None:
    """A number of rows is none with decimals, nor a time where a tool has none."""
    for key, value in step.settings.items():
        if key in driver.whole and not value.isdecimal():
            near = max(1, math.ceil(float(value)))
            raise UserError(
                f"{where}: step {step}: {key} is a whole number to {driver.name}, not "
                f"{value}; write {key}={near}"
            )


def _check_indexed(cell: Cell, driver: Driver, where: Path) -> None:
    """A table made by the first step has its indexes by another one."""
    names = [step.step for step in cell.steps]
    first = next((n for n, name in enumerate(names) if name in driver.indexed), 0)
    if "l.i0" in names[:first] and "l.x" not in names[:first]:
        raise UserError(
            f"{where}: step {names[first]} needs the secondary indexes: put l.x before it"
        )


def _check_words(cell: Cell, workload: Workload, where: Path) -> None:
    """What makes the tables is said to some engines alone."""
    if workload.engines and cell.engine not in workload.engines:
        raise UserError(
            f"{where}: workload {workload.name} says nothing to {cell.engine}; it is for "
            f"{joined(workload.engines)}"
        )


def _check_tables(cell: Cell, workload: Workload, where: Path) -> None:
    """A run begins without tables, but for a server elsewhere, which may hold them."""
    if cell.connect or cell.engine == NULL:
        return
    missing = workload.missing_tables([step.step for step in cell.steps])
    if missing:
        step, tables = missing
        raise UserError(
            f"{where}: step {step} needs the table{'s' * (len(tables) > 1)} "
            f"{joined(tables)}, which no step before it makes: begin with load"
        )


def _check_scripted(steps: Sequence[Step], where: Path) -> None:
    """Of a user's script: a step has any name, and commands end by themselves."""
    for step in steps:
        if step.step == "index":
            raise UserError(
                f"{where}: step index: a script makes its indexes in load, which is its "
                "command prepare"
            )
        if step.step in COMMANDS and step.settings:
            raise UserError(
                f"{where}: step {step}: {step.step} ends when it is done; write "
                f"{step.step} alone"
            )
        sizes = step.size in ("", "seconds", "events") and not step.rows_per_commit
        amounts = (step.amount or "1", step.warmup or "1")
        if not sizes or not all(map(str.isdecimal, amounts)):
            raise UserError(
                f"{where}: step {step}: sysbench takes whole seconds or events; write "
                f"{step.step}:seconds=10"
            )


def _is_whole(step: Step) -> bool:
    """Does a test of sysbench take this size? All of them name a range."""
    is_test = ".range" in step.step
    return is_test and step.size in ("seconds", "events") and step.amount.isdecimal()


def _origin(cell: Cell, driver: Driver) -> str:
    """What is wrong with where the engine comes from."""
    server = cell.engine in driver.servers
    origins = [key for key in ("source", "basedir", "connect") if getattr(cell, key)]
    if len(origins) > 1:
        return f"{' and '.join(origins)} are two places to take it from; keep one"
    if cell.source and not driver.takes_trees:
        return f"driver {driver.name} takes no engine from the catalogue: drop source"
    if cell.source and not cell.version:
        return f'source {cell.source} needs a version, for example version: "15.19"'
    if cell.connect and not server:
        servers = ", ".join(driver.servers) or f"none of {driver.name}"
        return f"connect is for servers ({servers}); this is none"
    if cell.connect and cell.config:
        return (
            "a server that runs elsewhere has settings of its own, so config has no "
            "effect; name them in tag or build"
        )
    if (cell.ssh or cell.pid_file) and not (cell.ssh and cell.connect):
        return (
            "ssh is how the host of a server that runs elsewhere (connect) is reached to "
            "sample it, and pid_file its server's there: give all that is needed"
        )
    if server and not origins and not cell.version:
        return (
            "say which: version (of the catalogue), basedir (an install tree) or "
            "connect (a server that runs elsewhere)"
        )
    return ""


def _dimensions(cell: Cell, driver: Driver) -> str:
    """What is wrong with its dimensions."""
    dims = dict(cell.dims)
    for name in OF_A_SERVER:
        if name in dims and (cell.engine not in driver.servers or cell.connect):
            return f"{name} is of a server that is started here; this is none"
        if name in dims and amount_bytes(dims[name]) == 0:
            return f'{name} {dims[name]!r}: write bytes or "256M", "1G"'
    if "log_sector" in dims and "log_device" not in dims:
        return "log_sector is of a log_device, and there is none"
    said = {**dims, "dop": str(cell.dop)}
    return next(filter(None, (_value(*pair, driver) for pair in said.items())), "")


def check_options(
    options: Mapping[str, str],
    cells: Sequence[Cell],
    driver: Driver,
    ran: Ran | None,
    where: str,
    others: Iterable[str] = (),
) -> None:
    """Refuse an option that the driver has not, or not so, or that cells have too.

    ``others`` is what else could be said there.
    """
    for name in OF_A_SERVER:
        if name in options:
            raise UserError(
                f"{where}: {name} is a dimension, because it changes what is measured: "
                f'write it in the matrix, as {name}: ["1G"]'
            )
    lets = ran.lets if isinstance(ran, Workload) else ()
    if isinstance(ran, Commands):
        check_placeholders(options, ran, where)
        lets = tuple(sorted(ran.placeholders))
    names = [*driver.dimensions, *driver.options, *lets]
    for name, value in options.items():
        if name not in names and not isinstance(ran, Script):
            there = ", ".join(one for one in (*names, *others) if one not in OF_A_SERVER)
            raise UserError(
                f"{where}: driver {driver.name} has no option {name!r}; "
                f"available: {there or 'none'}"
            )
        if any(name in dict(cell.dims) for cell in cells):
            raise UserError(f"{where}: {name} is a dimension of a cell too; keep one")
        if name in lets and isinstance(ran, Workload):
            complaint = _let(name, value, ran)
        else:
            complaint = _value(name, value, driver)
        if complaint:
            raise UserError(f"{where}: {complaint}")
    if isinstance(ran, Workload) and ran.distances:
        _check_distances(options, cells, ran, where)


def _check_distances(
    options: Mapping[str, str], cells: Sequence[Cell], workload: Workload, where: str
) -> None:
    """No engine is asked for a distance that it has not."""
    usual = options.get(DISTANCE, next(iter(workload.distances)))
    for cell in cells:
        distance = str(dict(cell.dims).get(DISTANCE, usual))
        if cell.engine in workload.distances.get(distance, ()):
            others = [
                d for d, lack in workload.distances.items() if cell.engine not in lack
            ]
            raise UserError(
                f"{where}: {cell.engine} has no {DISTANCE} {distance}; it has "
                f"{joined(others)}"
            )


def check_placeholders(dims: Mapping[str, Any], commands: Commands, where: str) -> None:
    """Refuse a dimension that stands in no command, or can be no column of results."""
    for name in dims:
        if name in (*OF_COMMANDS, REVISION):
            continue
        if name in TAKEN or name in ("compiler", "flags", SCRATCH):
            raise UserError(
                f"{where}: {name!r} is a name that Benchbook uses itself, so it cannot "
                f"be a placeholder of yours: choose another, such as my_{name}"
            )
        if name not in commands.placeholders:
            there = sorted(commands.placeholders - {SCRATCH})
            raise UserError(
                f"{where}: {name!r} stands in no command as {{{name}}}, so its values "
                f"would measure the same; in braces are: {', '.join(there) or 'none'}"
            )


def _value(name: str, value: str, driver: Driver) -> str:
    """What is wrong with the value of a dimension or an option."""
    values = driver.values.get(name)
    if values is None or value.startswith("${"):  # known when it is run
        return ""
    if not isinstance(values, range):
        there = ", ".join(values)
        return "" if value in values else f"{name} {value!r}; available: {there}"
    if re.fullmatch(r"[0-9]{1,18}", value) and int(value) in values:
        return ""
    return f"{name} {value!r}: write a whole number, {values[0]} to {values[-1]}"


def _let(name: str, value: str, workload: Workload) -> str:
    return "" if value.startswith("${") else wrong_let(name, value, workload)


def amount_bytes(text: str) -> int:
    """`256M` in bytes; 0 for what is no amount."""
    amount = re.fullmatch(r"(\d+)([KMG]?)", text)
    return int(amount[1]) * UNITS[amount[2]] if amount else 0


def is_version(declared: str, reported: str, moving: bool) -> bool:
    """Is what an engine reports what the study names? `15` is any 15.N if it moves."""
    return reported == declared or (moving and begins_with(reported, declared))


def is_compiled(cell: Cell, driver: Driver) -> bool:
    """Is the engine a part of the program, so that both are built again together?

    An install tree, a library or a tool of the system is what somebody else built.
    """
    here = cell.engine not in (*dict(driver.system_libraries), *driver.servers)
    foreign = driver.tool or driver.commands or cell.basedir or cell.source
    return here and not foreign
