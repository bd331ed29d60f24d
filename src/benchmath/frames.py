"""What every analysis expects of a metric frame, checked in one place.

A metric frame is the view ``metric`` with the map ``dims`` expanded to columns: one
row per run, step, op and metric. A *cell* is one combination of dimensions; its rows
for one measurement (step, op, clock, metric) are the trials.

A frame made from it keeps the dimensions and adds columns of its own. These stand in one
``Kind``, beside the function that makes the frame: every other column is a dimension.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from benchmath.errors import UserError
from benchmath.prose import joined

MEASUREMENT = ("step", "op", "clock", "metric")
LABELS = ("build", "compiler", "flags", "config", "version", "engine")
_TELLING = {*LABELS, "machine", "tag", "arm"}

# The columns of the views ``metric`` and ``runs`` that are no dimensions.
_RUN = ("set", "study", "machine_id", "tag", "dims", "run_id", "cell_id", "declared_id")
_REPEAT = ("trial", "build_no", "load_no", "attempt", "position", "planned")
_VALUE = ("seq", "main", "value", "unit", "direction", "origin", "source")
_FACTS = ("driver", "title", "status", "reason", "overridden", "started", "elapsed_s",
          "doctor", "compiler_line", "flags_used")  # fmt: skip
_FILES = ("folder", "env", "settings", "spec", "config_text")
_BUILT = ("is_server", "build_source", "build_series")


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of frame, by the columns that it adds to dimensions and measurement.

    The function that makes such a frame ends with ``of``, so a column that is not listed
    does not get out; those that take one ask ``dimensions``. ``Annotated`` with its kind,
    a frame in a signature says what it is. Columns that are shown as they are come with
    their units, `""` for texts and bare numbers, and have ``heads`` where a reader calls
    them otherwise: a frame of ``of`` or ``shown`` tells a table both.
    """

    name: str
    columns: tuple[str, ...] | Mapping[str, str]
    heads: Mapping[str, str] = field(default_factory=dict)

    def extended(self, name: str, *columns: str) -> "Kind":
        """The kind of frame that has these columns too, behind the others."""
        return Kind(name, (*(c for c in self.columns if c not in columns), *columns))

    def of(self, table: pd.DataFrame, keys: Iterable[str]) -> pd.DataFrame:
        """The frame: ``keys`` (dimensions and measurement), then the kind's columns."""
        require(table, self.columns)
        return self.shown(table[[*keys, *self.columns]])

    def shown(self, frame: pd.DataFrame) -> pd.DataFrame:
        """The frame, its columns' units and heads among its ``attrs``."""
        if isinstance(self.columns, Mapping):
            frame = frame.copy(deep=False)
            frame.attrs |= {"units": dict(self.columns), "heads": dict(self.heads)}
        return frame

    def keys(self, frame: pd.DataFrame) -> list[str]:
        """The columns that say what a row is of: all but the kind's own."""
        return [str(c) for c in frame.columns if c not in self.columns]

    def dimensions(self, frame: pd.DataFrame) -> tuple[str, ...]:
        """The columns that tell cells apart.

        ValueError where one of them holds floats: then the frame is of another kind.
        """
        dims = tuple(c for c in self.keys(frame) if c not in METRIC.columns)
        for name in dims:
            if pd.api.types.is_float_dtype(frame[name].dtype):
                raise ValueError(
                    f"not a frame of {self.name}: its column {name} holds measured "
                    "values, no dimension's"
                )
        return dims


METRIC = Kind("metric", MEASUREMENT + _RUN + _REPEAT + _VALUE + _FACTS + _FILES + _BUILT)
MetricFrame = Annotated[pd.DataFrame, METRIC]


def dimensions_of(frame: MetricFrame) -> tuple[str, ...]:
    """The dimensions of a metric frame, or of runs."""
    return METRIC.dimensions(frame)


def with_dimensions(
    frame: pd.DataFrame, runs: pd.DataFrame, columns: Sequence[str]
) -> pd.DataFrame:
    """Samples, histograms or steps with further columns of their runs, by run_id."""
    require(frame, ("run_id",))
    require(runs, ("run_id", *columns))
    new = [c for c in columns if c not in frame.columns]
    facts = runs[["run_id", *new]]
    joined = frame.merge(facts, on="run_id", how="left", validate="m:1", indicator=True)
    strange = joined.loc[joined["_merge"] == "left_only", "run_id"]
    if len(strange):
        raise ValueError(f"run {strange.iloc[0]} is not among the runs")
    return joined.drop(columns="_merge")


def row_per_group(
    frame: pd.DataFrame,
    by: Sequence[str],
    row: Callable[[pd.DataFrame], Mapping[str, object]],
    columns: Iterable[str],
) -> pd.DataFrame:
    """What ``row`` says of each group, behind its values of ``by``, as groups appear."""
    records = [
        {**dict(zip(by, labels, strict=True)), **row(part)}
        for labels, part in frame.groupby(list(by), sort=False, dropna=False)
    ]
    return pd.DataFrame.from_records(records, columns=[*by, *columns])


def kept(frame: pd.DataFrame, which: pd.Series) -> pd.DataFrame:
    """The rows that are True; the frame itself, and no copy of it, where all are."""
    return frame if which.all() else frame[which]


def places(values: pd.Series, order: Iterable[object]) -> pd.Series:
    """The place of each value in an order, from 0; missing for what that has not."""
    return values.map({value: i for i, value in enumerate(dict.fromkeys(order))})


def ordered(frame: pd.DataFrame, orders: Mapping[str, Iterable[object]]) -> pd.DataFrame:
    """The rows by the orders of some columns' values, the first column's before others'.

    Rows alike stay as they are; what an order has not comes last.
    """
    by = {name: places(frame[name], of).to_numpy() for name, of in orders.items()}
    return frame.iloc[pd.DataFrame(by).sort_values([*by], kind="stable").index]


def flags(values: ArrayLike, known: ArrayLike) -> pd.arrays.BooleanArray:
    """Flags that are NA where they are not known."""
    return pd.arrays.BooleanArray(np.asarray(values, dtype=bool), ~np.asarray(known))


def require(frame: pd.DataFrame, columns: Iterable[str]) -> None:
    """Raise ValueError naming the columns that the frame lacks."""
    missing = [c for c in columns if c not in frame.columns]
    if missing:
        raise ValueError(f"the frame has no column {', '.join(missing)}")


def measurement_of(frame: pd.DataFrame) -> list[str]:
    """The columns that say what was measured, those of them that the frame has."""
    require(frame, ("step", "metric"))
    return [c for c in MEASUREMENT if c in frame.columns]


def select(frame: MetricFrame, metric: str = "throughput") -> MetricFrame:
    """The rows of one metric; ``throughput`` is the rate of each step's main op."""
    require(frame, ("step", "metric", "value", "unit", "direction"))
    if metric == "throughput":
        require(frame, ("main",))
        rows = frame[frame["main"].fillna(False).astype(bool)]
    else:
        rows = frame[frame["metric"] == metric]
    if rows.empty and not frame.empty:
        metrics = ", ".join(sorted(map(str, frame["metric"].unique())))
        if metric == "throughput":
            raise UserError(
                f"nothing says which metric is meant: choose --metric from {metrics}"
            )
        raise UserError(f"no row has the metric {metric!r}; available: {metrics}")
    _check_values(rows)
    return rows


def cells_of(rows: MetricFrame, dimensions: Sequence[str] | None = None) -> list[str]:
    """The columns that identify a cell's measurement, after checking the cells.

    Raises ValueError when a cell pools runs that differ in a column left out of
    ``dimensions``, mixes machines of one name, or counts a run twice.
    """
    dims = list(dimensions_of(rows) if dimensions is None else dimensions)
    require(rows, dims)
    keys = dims + measurement_of(rows)
    hidden = [d for d in dimensions_of(rows) if d not in dims]
    if "machine_id" in rows.columns:
        hidden.append("machine_id")
    grouped = rows.groupby(keys, dropna=False, sort=False)
    for column in hidden:
        mixed = grouped[column].nunique(dropna=False)
        if (mixed > 1).any():
            raise ValueError(_mixed_message(rows, keys, column, mixed))

    if "run_id" in rows.columns and rows.duplicated([*keys, "run_id"]).any():
        twice = rows[rows.duplicated([*keys, "run_id"])].iloc[0]
        raise ValueError(
            f"run {twice['run_id']} has two values of {twice['metric']} in step "
            f"{twice['step']}: a trial is one value"
        )
    return keys


def name_of(values: Mapping[str, object]) -> str:
    """Dimensions and values as one name: ``gcc-12 -O2``, ``indexes=3``.

    The values of labels and machines speak for themselves; others need their dimension.
    """
    return " ".join(
        str(value) if dimension in _TELLING else f"{dimension}={value}"
        for dimension, value in values.items()
    )


def label(rows: pd.DataFrame, columns: Sequence[str]) -> pd.Series:
    """The name that some columns give each row."""
    names = [name_of(row) for row in rows[list(columns)].to_dict("records")]
    return pd.Series(names, index=rows.index, dtype=object)


def check_base(
    rows: pd.DataFrame, base: Mapping[str, str], kind: Kind = METRIC
) -> pd.Series:
    """True for the rows of the base; UserError naming what exists if there are none."""
    if not base:
        raise UserError("the base is empty: name a dimension and its value")
    matches = pd.Series(True, index=rows.index)
    for dimension, value in base.items():
        if dimension not in rows.columns:
            names = ", ".join(kind.dimensions(rows))
            raise UserError(f"base: no dimension {dimension!r}; available: {names}")
        values = rows[dimension].astype(str)
        if not (values == str(value)).any():
            raise UserError(
                f"base: no run has {dimension} {value!r}; available: {joined(values)}"
            )
        matches &= values == str(value)
    if not matches.any():
        names = joined(label(rows, list(base)))
        raise UserError(f"base: no run is {name_of(base)}; available: {names}")
    return matches


def tied_labels(
    rows: pd.DataFrame, base: Mapping[str, str], dimensions: Sequence[str]
) -> list[str]:
    """Labels that the other dimensions already determine, so matching needs none.

    A build label that follows from compiler and flags must not keep gcc from being
    compared with clang. Only names of what is measured can be tied (engine, version,
    build, compiler, flags, config); machine, dop, placement and a study's own
    dimensions never.
    """
    left = list(dimensions)
    # As numbers: names are compared ten times as slowly.
    columns = {d: pd.factorize(rows[d], use_na_sentinel=False)[0] for d in left}
    values = pd.DataFrame(columns).drop_duplicates()
    for name in LABELS:
        others = [d for d in left if d != name]
        if name not in left or name in base or not others:
            continue
        if len(values[others].drop_duplicates()) == len(values[left].drop_duplicates()):
            left.remove(name)
    return [d for d in dimensions if d not in left]


def _check_values(rows: pd.DataFrame) -> None:
    values = rows["value"].to_numpy(dtype=float)
    for bad, what in ((~np.isfinite(values), "no finite"), (values < 0, "a negative")):
        if bad.any():
            row = rows[bad].iloc[0]
            raise ValueError(f"{what} value of {row['metric']} in step {row['step']}")

    keys = measurement_of(rows)
    for column in ("unit", "direction"):
        mixed = rows.groupby(keys, dropna=False, sort=False)[column].nunique(dropna=False)
        if (mixed > 1).any():
            raise ValueError(_mixed_message(rows, keys, column, mixed))


def _mixed_message(
    rows: pd.DataFrame, keys: list[str], column: str, mixed: pd.Series
) -> str:
    first = mixed[mixed > 1].reset_index().iloc[[0]][keys]
    cell = rows.merge(first, on=keys)
    values = joined(cell[column])
    return f"step {cell['step'].iloc[0]} mixes {column} {values} in one cell"


_FIRST = tuple(reversed(LABELS))  # engine before version before its build


def further_dimensions(
    frame: pd.DataFrame, kind: Kind, within: Sequence[str]
) -> list[str]:
    """The fewest dimensions that tell rows apart which have the same ``within``.

    A dimension that follows from those before it (a version from its engine) is none.
    """
    dims = [d for d in kind.dimensions(frame) if d not in within]
    ordered = [*(d for d in _FIRST if d in dims), *(d for d in dims if d not in _FIRST)]
    keys = list(within)
    for name in ordered:
        if (frame.groupby(keys, dropna=False)[name].nunique(dropna=False) > 1).any():
            keys.append(name)
    return keys[len(within) :]


def names_of_tests(frame: pd.DataFrame, kind: Kind, within: Sequence[str]) -> pd.Series:
    """The step, with what else tells tests of one step and ``within`` apart."""
    further = further_dimensions(frame, kind, [*within, "step"])
    names = [
        " ".join([str(row.pop("step")), *([name_of(row)] if further else [])])
        for row in frame[["step", *further]].to_dict("records")
    ]
    return pd.Series(names, index=frame.index, dtype=object)
