"""A study: the question, and the matrix of cells that answers it."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchbook.commands.commands import DRIVER as COMMAND
from benchbook.commands.commands import (
    REVISION,
    Commands,
    read_commands,
    with_revisions,
)
from benchbook.study.cell import Cell, Step
from benchbook.study.check import (
    MOVING,
    Ran,
    check_cell,
    check_options,
    check_placeholders,
    check_template,
)
from benchbook.study.drivers import PUBLISHED, Driver, driver_named
from benchbook.study.file import read_study_file
from benchbook.study.order import TURN_MS, TURNS, groups
from benchbook.study.premises import (
    NOBODY_LOOKS,
    Quiet,
    premises_of_study,
    quiet_of_study,
)
from benchbook.study.published import (
    Beside,
    Explains,
    Source,
    besides_of,
    read_explains,
    sources_of,
)
from benchbook.study.script import Script, check_script_options, find_script
from benchbook.study.sidecars import (
    Counted,
    Profile,
    Watch,
    counted_of,
    profile_of,
    watch_of,
)
from benchbook.study.until import USUAL_TRIALS, share_of, until_of
from benchbook.study.workload import (
    SIZES,
    Workload,
    check_lets,
    expand_steps,
    find_workload,
    read_workload,
    with_analyze,
)
from benchbook.vectors import Vectors, find_vectors, is_here
from benchmath.errors import UserError

SHELL = "shell"  # the engine that a command is, in our words
PLANLESS = ("null", "rocksdb", "hnswlib")  # engines that gather no statistics of tables
VOCABULARY = (
    "config", "dop", "placement", "arm", "compiler", "flags", "version", "source",
)  # fmt: skip


@dataclass(frozen=True)
class ServerType:
    """Hosts that are instances of one type, and its price per hour, 0 where not said."""

    hosts: tuple[str, ...]
    price: float = 0.0


@dataclass(frozen=True)
class Study:
    """What study.yml says, presets applied and defaults filled in."""

    slug: str
    path: Path
    title: str
    template: str
    driver: Driver
    base: dict[str, str]
    cells: tuple[Cell, ...]
    description: str = ""
    date: str = ""
    categories: tuple[str, ...] = ()
    trials: int = USUAL_TRIALS
    order: str = "abba"
    turn_ms: int = TURN_MS
    until: str = ""  # "decided": trials are the most loads, not those to be made
    budget_s: float | None = None  # wall time that measuring until then may take
    quiet: Quiet = NOBODY_LOOKS  # what others may take of the machine meanwhile
    noisy: str = ""  # why it is published although they took more
    seed: int = 1
    margin: float = 0.02
    machines: tuple[str, ...] = ()
    servers: dict[str, ServerType] = field(default_factory=dict)
    reuse: bool = False
    live: bool = True  # `report` measures it; else it must be published first
    same_code: bool = False  # builds differ in data only: no build effect
    also: tuple[str, ...] = ()
    data: tuple[str, ...] = ()  # imports and published tables, for the driver `published`
    beside: tuple[Beside, ...] = ()  # published figures that a workload's post shows too
    sources: tuple[Source, ...] = ()  # whose the published figures are
    explains: tuple[Explains, ...] = ()  # why another post's intervals exclude its own
    label: str = ""
    preset: str = ""
    options: dict[str, str] = field(default_factory=dict)
    watch: Watch = field(default_factory=Watch)
    profile: Profile | None = None
    counted: Counted | None = None
    parameters: dict[str, Any] = field(default_factory=dict)
    premises: tuple[str, ...] = ()  # what the question presumes, the usual ones included
    workload: Workload | None = None  # of a driver that runs one
    vectors: Vectors | None = None  # of a workload that searches some
    script: Script | None = None  # of a tool that runs one
    commands: Commands | None = None  # of the driver that runs a user's own

    @property
    def folder(self) -> Path:
        return self.path.parent

    @property
    def ran(self) -> Ran | None:
        """The file that the driver is to run, where it runs one."""
        return self.workload or self.script or self.commands

    def listed(self, dimension: str) -> list[str]:
        """The values of a dimension in the order in which the cells have them."""
        cells = (cell.dimensions() for cell in self.cells)
        return list(dict.fromkeys(c[dimension] for c in cells if dimension in c))

    @property
    def dimensions(self) -> tuple[str, ...]:
        """Those that the driver or its workload adds to the vocabulary."""
        lets = self.workload.lets if self.workload else ()
        lets = tuple(self.commands.placeholders) if self.commands else lets
        return (*self.driver.dimensions, *lets)


def load_study(path: Path | str) -> Study:
    """Read, check and expand posts/<slug>/study.yml (the file or its folder)."""
    file = Path(path)
    if file.is_dir():
        file = file / "study.yml"
    raw = _with_preset(read_study_file(file), file)
    driver = driver_named(raw["driver"], file)
    commands = _commands(raw, driver, file)
    raw = _with_commands(raw, commands) if commands else raw
    _check_source(raw, driver, file)
    workload = _workload(raw, driver, file)
    script = _script(raw, driver, file)
    study = Study(
        slug=file.resolve().parent.name,
        path=file.resolve(),
        title=raw["title"],
        template=raw["template"],
        driver=driver,
        base={k: str(v) for k, v in raw["base"].items()},
        cells=()
        if driver.name == PUBLISHED
        else _cells(raw, driver, workload or script or commands, file),
        description=raw.get("description", ""),
        date=raw.get("date", ""),
        categories=tuple(raw.get("categories", ())),
        **until_of(raw, file),
        order=raw.get("order", "abba"),
        turn_ms=raw.get("turn_ms", TURN_MS),
        quiet=quiet_of_study(raw, file),
        noisy=raw.get("noisy", ""),
        seed=raw.get("seed", 1),
        margin=share_of(raw.get("margin", 0.02), f"{file}: margin", "the margin"),
        machines=tuple(raw.get("machines", ())),
        servers=_servers(raw.get("servers", {}), file),
        reuse=raw.get("reuse", False),
        live=raw.get("live", True),
        same_code=raw.get("same_code", False),
        also=tuple(raw.get("also", ())),
        explains=read_explains(raw.get("explains", ()), file),
        data=tuple(raw.get("data", ())),
        beside=besides_of(raw, file),
        sources=sources_of(raw, file),
        label=raw.get("label", ""),
        preset=raw.get("preset", ""),
        options={k: _option(v) for k, v in raw.get("options", {}).items()},
        watch=watch_of({"sampler_hz": 0, **raw} if commands else raw),
        profile=profile_of(raw),
        counted=counted_of(raw, lambda steps: _steps(steps, workload, {}, file)),
        parameters=raw.get("parameters", {}),
        premises=premises_of_study(raw["template"], raw.get("premises")),
        workload=workload,
        vectors=_vectors(raw, workload, file),
        script=script,
        commands=commands,
    )
    where = f"{file}: options"
    check_options(study.options, study.cells, driver, study.ran, where)
    if study.cells:
        _check_base(study)
        check_template(study.template, study.cells, study.path)
    if "turn_ms" in raw and study.order != TURNS:
        raise UserError(f"{study.path}: turn_ms has a meaning with `order: turns` only")
    check_turns(study)
    if study.watch.waits and study.driver.tool:
        raise UserError(
            f"{study.path}: {study.driver.name} runs a tool of the system, which asks no "
            "server what its sessions wait for: take out waits"
        )
    return study


def _servers(raw: Mapping[str, Any], file: Path) -> dict[str, ServerType]:
    types = {
        name: ServerType(tuple(one["hosts"]), float(one.get("price", 0.0)))
        for name, one in raw.items()
    }
    hosts = [host for one in types.values() for host in one.hosts]
    if twice := next((host for host in hosts if hosts.count(host) > 1), None):
        raise UserError(
            f"{file}: servers: {twice} is a host of two types, or named twice"
        )
    return types


def check_turns(study: Study) -> None:
    """Refuse turns of a driver that has none, and of steps that are not made together."""
    if study.order != TURNS:
        return
    if study.driver.tool:
        raise UserError(
            f"{study.path}: {study.driver.name} runs a tool of the system, whose clock "
            "does not stand still while others have their turn: use `order: abba`"
        )
    for arms in groups([cell.dimensions() for cell in study.cells], study.base):
        places: dict[str, int] = {}
        for arm in arms:
            names = [step.step for step in study.cells[arm].steps]
            for name in names:
                if places.setdefault(name, names.index(name)) != names.index(name):
                    raise UserError(
                        f"{study.path}: step {name} is not at the same place in the "
                        "steps of all who take turns, so they would not make it "
                        "together: give them the same steps, what one has alone last"
                    )


def _check_source(raw: Mapping[str, Any], driver: Driver, file: Path) -> None:
    """A study either measures engines in steps or reads published tables."""
    published = driver.name == PUBLISHED
    if published != ("data" in raw):
        raise UserError(
            f"{file}: `driver: published` and `data:` (imports, published tables) "
            f"go together; {'data' if published else 'driver: published'} is missing"
        )
    for key in ("engines", "matrix", "steps", "preset"):
        if published and key in raw:
            raise UserError(f"{file}: {key!r} has no meaning with `driver: published`")
    for key in () if published else ("engines", "steps"):
        if key not in raw and not (key == "steps" and _all_have_steps(raw)):
            raise UserError(
                f"{file}: {key!r} is missing: neither the study nor its preset has it"
            )


def _with_preset(raw: dict[str, Any], file: Path) -> dict[str, Any]:
    """The chosen preset's keys laid over the study's own; options are merged."""
    name = raw.get("preset")
    presets = raw.get("presets", {})
    if name is None:
        return raw
    if name not in presets:
        raise UserError(
            f"{file}: preset {name!r} is not under presets: "
            f"({', '.join(presets) or 'none there'})"
        )
    chosen = dict(presets[name])
    merged = {**raw.get("options", {}), **chosen.pop("options", {})}
    return {**raw, **chosen, **({"options": merged} if merged else {})}


def _all_have_steps(raw: Mapping[str, Any]) -> bool:
    return all("steps" in engine for engine in raw["engines"])


def _workload(raw: Mapping[str, Any], driver: Driver, file: Path) -> Workload | None:
    """What the driver runs; None where it has steps of its own."""
    if driver.workload:
        if "workload" not in raw:
            raise UserError(
                f"{file}: driver {driver.name} runs a workload: name it, for example "
                "workload: sysbench"
            )
        return read_workload(find_workload(raw["workload"], file))
    for key in ("workload", "beside", "analyze", *SIZES):
        meant = key in driver.dimensions or (key == "beside" and driver.beside)
        meant |= driver.commands and key in driver.sizes
        if key in raw and not meant:
            raise UserError(
                f"{file}: {key!r} has no meaning with `driver: {driver.name}`"
            )
    return None


def _vectors(
    raw: Mapping[str, Any], workload: Workload | None, file: Path
) -> Vectors | None:
    """What the workload searches; None where it searches nothing."""
    searches = workload is not None and bool(workload.distances)
    if searches and "vectors" not in raw:
        raise UserError(
            f"{file}: workload {raw['workload']} searches vectors: name them, for "
            "example vectors: source-text"
        )
    if "vectors" not in raw:
        return None
    if not searches:
        raise UserError(
            f"{file}: 'vectors' has no meaning here: no workload searches them"
        )
    if _is_published(file) and not is_here(raw["vectors"], file):
        return None  # its runs are on record, wherever the vectors are
    return find_vectors(raw["vectors"], file)


def _script(raw: Mapping[str, Any], driver: Driver, file: Path) -> Script | None:
    """What the tool runs instead of our own tests; None where a study names nothing."""
    if "script" not in raw:
        return None
    if not driver.scripts:
        raise UserError(f"{file}: 'script' has no meaning with `driver: {driver.name}`")
    return find_script(raw["script"], file)


def _commands(raw: Mapping[str, Any], driver: Driver, file: Path) -> Commands | None:
    """The user's own commands; None where the driver has steps of its own."""
    if driver.name != COMMAND:
        for key in ("commands", "folder", "build"):
            if key in raw:
                raise UserError(
                    f"{file}: {key!r} has no meaning with `driver: {driver.name}`"
                )
        return None
    if "commands" not in raw:
        raise UserError(
            f"{file}: driver command runs commands of yours: name them, for example "
            "commands: {sort: sort numbers.txt}"
        )
    if raw.get("sampler_hz"):
        raise UserError(
            f"{file}: sampler_hz looks at times that the clock of a command leaves out: "
            "take it out"
        )
    commands = read_commands(raw, file)
    for key in ("seconds", "events", "warmup"):
        if isinstance(raw.get(key), Mapping):
            raise UserError(
                f"{file}: {key}: commands are all of one kind: write a number"
            )
    if "seconds" in raw and "events" in raw:
        raise UserError(
            f"{file}: commands have both seconds and events; keep one of them"
        )
    names = _revisions(raw)
    if commands.build and not names:
        raise UserError(
            f"{file}: build is what makes a revision: put revision in the matrix, or "
            "write it as setup of a command"
        )
    if _is_published(file):  # what it was is on record, wherever the repository is
        return commands
    return with_revisions(commands, names, f"{file}: revision")


def _revisions(raw: Mapping[str, Any]) -> list[str]:
    """The revisions that a study names, in the matrix or for one of its engines."""
    own = [engine.get("dims", {}).get(REVISION) for engine in raw.get("engines", ())]
    return [str(n) for n in (*raw.get("matrix", {}).get(REVISION, ()), *own) if n]


def _is_published(file: Path) -> bool:
    return (file.parent / "evidence").is_dir()


def _with_commands(raw: dict[str, Any], commands: Commands) -> dict[str, Any]:
    """With what needs not be said: all commands are steps, of the one engine there is."""
    engines = [{"engine": SHELL}]
    said = {"order": TURNS, "steps": list(commands.steps), "engines": engines}
    return said | raw


def _steps(
    entries: Sequence[str],
    workload: Ran | None,
    common: Mapping[str, Any],
    file: Path,
) -> tuple[Step, ...]:
    if isinstance(workload, Commands):
        return tuple(_with_size(Step.parse(entry), common) for entry in entries)
    if not isinstance(workload, Workload):
        return tuple(map(Step.parse, entries))
    return expand_steps(entries, workload, common, file)


def _with_size(step: Step, common: Mapping[str, Any]) -> Step:
    """The step of a command with what the study says of all of them."""
    said = {key: f"{common[key]:.15g}" for key in ("seconds", "events") if key in common}
    if said and not step.size:
        size, amount = next(iter(said.items()))
        step = replace(step, size=size, amount=amount)
    warmup = step.warmup or (f"{common['warmup']:g}" if "warmup" in common else "")
    return replace(step, warmup=warmup)


def _cells(
    raw: Mapping[str, Any], driver: Driver, ran: Ran | None, file: Path
) -> tuple[Cell, ...]:
    matrix: dict[str, list[Any]] = dict(raw.get("matrix", {}))
    _check_dimensions(matrix, driver, ran, f"{file}: matrix")
    cells = []
    # What is published was measured as it is, and engines without a planner have no use.
    measured = not _is_published(file)
    plans = any(engine["engine"] not in PLANLESS for engine in raw["engines"])
    analyzes = raw.get("analyze", True) and measured and plans
    for engine in raw["engines"]:
        steps = _steps(engine.get("steps") or raw["steps"], ran, raw, file)
        if isinstance(ran, Workload) and analyzes:
            steps = with_analyze(steps, ran)
        usual = driver.usual_placement(
            engine["engine"], engine.get("connect", ""), [s.step for s in steps]
        )
        default = {"placement": raw.get("placement", usual)}
        default |= {"workload": raw.get("workload")}
        if ran and not isinstance(ran, Commands):
            what = "script" if isinstance(ran, Script) else "workload"
            default |= {what: ran.name}
        default = {name: value for name, value in default.items() if value}
        own = engine.get("dims", {})
        where = f"{file}: engine {engine['engine']}: dims"
        _check_dimensions(own, driver, ran, where)
        for name in (engine | own).keys() & matrix.keys():
            raise UserError(
                f"{file}: {name} is given both for engine {engine['engine']} "
                "and in the matrix; keep one"
            )
        for values in itertools.product(*matrix.values()):
            point = dict(zip(matrix, values, strict=True))
            cells.append(_cell(engine, steps, default | own | point, ran))
            check_cell(cells[-1], driver, file)
    _refuse_twins(cells, file)
    return tuple(cells)


def _cell(
    engine: Mapping[str, Any],
    steps: tuple[Step, ...],
    point: dict[str, Any],
    ran: Ran | None = None,
) -> Cell:
    named = {k: point.pop(k) for k in VOCABULARY if k in point}
    revisions = ran.revisions if isinstance(ran, Commands) else {}
    revision = revisions.get(str(point.get(REVISION)))
    cell = Cell(
        engine=engine["engine"],
        steps=steps,
        version=engine.get("version", ""),
        build_notes=engine.get("build", ""),
        source=engine.get("source", ""),
        basedir=engine.get("basedir", ""),
        connect=engine.get("connect", ""),
        ssh=engine.get("ssh", ""),
        pid_file=engine.get("pid_file", ""),
        config=engine.get("config", ""),
        tag=engine.get("tag", ""),
        tree=revision.tree if revision else "",
        dims=tuple((k, str(v)) for k, v in point.items()),
    )
    values = {k: int(v) if k == "dop" else str(v) for k, v in named.items()}
    return replace(cell, **values)  # type: ignore[arg-type]


def _check_dimensions(
    dims: Mapping[str, Any], driver: Driver, ran: Ran | None, where: str
) -> None:
    dimensions = (*VOCABULARY, *driver.dimensions)
    if isinstance(ran, Workload):
        check_lets(dims, dimensions, ran, where)
        return
    if isinstance(ran, Script):
        check_script_options(dims, dimensions, where)
        return
    if isinstance(ran, Commands):
        check_placeholders(dims, ran, where)
        return
    for name in dims:
        if name not in dimensions:
            raise UserError(
                f"{where}: driver {driver.name} has no dimension {name!r}; "
                f"available: {', '.join(dimensions)}"
            )


def _refuse_twins(cells: list[Cell], file: Path) -> None:
    keys: set[tuple[tuple[str, str], ...]] = set()
    for cell in cells:
        key = tuple(sorted(cell.dimensions().items()))
        if key in keys:
            raise UserError(f"{file}: two cells are the same: {cell.label()}")
        keys.add(key)


def _check_base(study: Study) -> None:
    if "versions" in study.categories and "version" not in study.base:
        raise UserError(
            f"{study.path}: categories: `versions` has a row in the table of versions, "
            "which needs a base of a version"
        )
    for name, value in study.base.items():
        if name == "machine":
            continue
        if name == "source":
            raise UserError(
                f"{study.path}: base: name a cell by version or config; posts tell "
                "sources apart by their builds"
            )
        values = sorted({c.dimensions().get(name, "") for c in study.cells} - {""})
        if not values and name == "version":
            continue  # asked of the engine when the study runs
        if value not in values:
            raise UserError(
                f"{study.path}: base: no cell has {name} {value!r}; "
                f"{'available: ' + ', '.join(values) if values else 'no cell has it'}"
            )
        named = [c for c in study.cells if c.version == value]
        if name == "version" and named and all(map(_moves, named)):
            raise UserError(
                f"{study.path}: base: version {value!r} is what its source has at the "
                "time (15 turns into 15.20): write it in full, or name another dimension"
            )


def _moves(cell: Cell) -> bool:
    """Will the version on record be longer than the one declared?"""
    whole = 2 if cell.engine == "postgres" else 3
    return cell.source in MOVING and cell.version.count(".") + 1 < whole


def _option(value: str | int | bool) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)
