"""What sampled stacks say of each function or path: its share, and how sure it is.

A capture is what was recorded at once: one run, step, tree and event. Of its samples the
share p of a frame is the weight of those that hold it, and its standard error is that of
a ratio of sums, with samples that come independently of each other::

    se^2 = ((1 - 2 p) * V_in + p^2 * V_all) / W^2

W is the weight of all samples, V_all the sum of their squared weights, V_in that of the
samples with the frame; for samples of one weight it is the binomial p (1 - p) / n. Stacks
arrive added up, so the weights of equal stacks count as equal. No error is below that of
one sample: none found is no proof of none.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from benchmath.frames import require
from benchmath.profiles.costs import CAPTURE
from benchmath.profiles.names import (
    INLINED,
    JIT,
    KERNEL,
    UNKNOWN,
    USER,
    function_of,
    kind_of,
)

_ORDER = (USER, KERNEL, JIT, INLINED, UNKNOWN)

Frame = tuple[str, str]  # function and kind
Node = Callable[[str, tuple[Frame, ...]], Sequence[int]]


@dataclass(frozen=True)
class Sums:
    """Per capture (row) and item (column), as shares of the capture's weight."""

    captures: pd.DataFrame  # CAPTURE, samples
    self: np.ndarray
    inclusive: np.ndarray
    self_error: np.ndarray
    inclusive_error: np.ndarray
    self_samples: np.ndarray
    samples: np.ndarray  # that hold the item
    links: Mapping[tuple[int, int, int], float]  # capture, caller, leaf -> share


def frames_of(frames: str, kinds: str) -> tuple[Frame, ...]:
    """A stack as functions and kinds, root first; the clones of a function are one.

    A sample without a stack is one of the frame ``[no stack]``, so that nothing is lost.
    """
    names = frames.split(";") if frames else ["[no stack]"]
    letters = kinds.ljust(len(names), "u")
    return tuple(
        (function_of(name), kind_of(letter, name))
        for name, letter in zip(names, letters, strict=False)
    )


def sums(stacks: pd.DataFrame, node: Node, count: Callable[[], int]) -> Sums:
    """Add up the stacks; ``node`` maps comm and frames to items, root first.

    ``count`` says how many items there were, once all are mapped. An item that stands
    twice in a stack (recursion) is counted once.
    """
    require(stacks, (*CAPTURE, "frames", "weight", "samples"))
    row, captures = _captures(stacks)
    items = _items(stacks, node)
    width = count()
    weight = stacks["weight"].to_numpy(float)
    number = stacks["samples"].to_numpy(float)
    square = weight**2 / np.maximum(number, 1)
    leaf = np.array([one[-1] for one in items], dtype=int)
    holds = [np.unique(one) for one in items]
    sizes = [len(one) for one in holds]
    rows = np.repeat(row, sizes)
    columns = np.concatenate([np.array([], int), *holds])

    def added(values: np.ndarray, leaves: bool) -> np.ndarray:
        """Matrix of sums by capture and item."""
        made = np.zeros((len(captures), width))
        if leaves:
            np.add.at(made, (row, leaf), values)
        else:
            np.add.at(made, (rows, columns), np.repeat(values, sizes))
        return made

    whole = np.bincount(row, weight, len(captures))[:, None]
    squares = np.bincount(row, square, len(captures))[:, None]
    total = np.bincount(row, number, len(captures))
    least = 1 / total[:, None]

    def share_of(leaves: bool) -> tuple[np.ndarray, np.ndarray]:
        """Share and its standard error."""
        share = added(weight, leaves) / whole
        variance = (1 - 2 * share) * added(square, leaves) + share**2 * squares
        return share, np.maximum(np.sqrt(np.maximum(variance, 0)) / whole, least)

    own, own_error = share_of(leaves=True)
    held, held_error = share_of(leaves=False)
    return Sums(
        captures.assign(samples=total.astype(int)),
        own,
        held,
        own_error,
        held_error,
        added(number, True),
        added(number, False),
        _links(items, row, weight / whole[row, 0]),
    )


def _captures(stacks: pd.DataFrame) -> tuple[np.ndarray, pd.DataFrame]:
    """The capture that each row belongs to, and what the captures are."""
    plain = stacks[list(CAPTURE)].astype(str)
    grouped = plain.groupby(list(CAPTURE), sort=False)
    return grouped.ngroup().to_numpy(), plain.drop_duplicates().reset_index(drop=True)


def _items(stacks: pd.DataFrame, node: Node) -> list[Sequence[int]]:
    """The items of every row, each distinct stack looked at once."""
    frames = stacks["frames"].astype(str)
    empty = pd.Series("", index=stacks.index)
    kinds = stacks["kinds"].astype(str) if "kinds" in stacks else empty
    comms = stacks["comm"].astype(str) if "comm" in stacks else empty
    keys = list(zip(comms, frames, kinds, strict=True))
    items = {key: node(key[0], frames_of(key[1], key[2])) for key in dict.fromkeys(keys)}
    return [items[key] for key in keys]


def _links(
    items: Sequence[Sequence[int]], row: np.ndarray, share: np.ndarray
) -> dict[tuple[int, int, int], float]:
    """Share of each leaf by the frame that called it; -1 where nothing did."""
    links: dict[tuple[int, int, int], float] = {}
    for one, capture, part in zip(items, row, share, strict=True):
        key = (int(capture), int(one[-2]) if len(one) > 1 else -1, int(one[-1]))
        links[key] = links.get(key, 0.0) + float(part)
    return links


def plainest(kinds: Iterable[str]) -> str:
    """The kind of a function that was seen as several."""
    return min(set(kinds), key=_ORDER.index)


class Functions:
    """Numbers of the functions, in the order in which they are met."""

    def __init__(self) -> None:
        self.numbers: dict[tuple[str, bool], int] = {}
        self.kinds: list[str] = []

    def of(self, comm: str, frames: tuple[Frame, ...]) -> list[int]:
        """The functions of a stack, root first."""
        return [self._number(name, kind) for name, kind in frames]

    def frame(self) -> pd.DataFrame:
        """Columns frame, kind; a row per number."""
        names = [name for name, _ in self.numbers]
        return pd.DataFrame({"frame": names, "kind": self.kinds})

    def numbers_of(self, frames: pd.DataFrame) -> np.ndarray:
        """The numbers of frames by their columns frame and kind; -1 of no function."""
        keys = zip(frames["frame"], frames["kind"] == KERNEL, strict=True)
        return np.array([self.numbers.get(key, -1) for key in keys], dtype=int)

    def _number(self, name: str, kind: str) -> int:
        number = self.numbers.setdefault((name, kind == KERNEL), len(self.kinds))
        if number == len(self.kinds):
            self.kinds.append(kind)
        self.kinds[number] = plainest((self.kinds[number], kind))
        return number
