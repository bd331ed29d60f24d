"""Which step each line of o.sum.* is of: the file has one line per step and no names.

Scripts of three times wrote them: 15 lines in 2020 and 2021, 6 in 2022 and 2023, 10 since
December 2023; before, a load, five scans and two query steps. Lines that load have no
queries, and the rate of inserts of a query step follows the step's rate. A line gets the
step on which all orders agree that fit the lines, so a file that ends early is read as
far as it is known.
"""

from __future__ import annotations

from collections.abc import Sequence

_LOADS = ("l.i0", "l.x", "l.i1")
_RATES = (100, 200, 400, 600, 800, 1000)
ORDERS: tuple[tuple[tuple[str, int], ...], ...] = (
    (*((s, 0) for s in _LOADS), *((f"q{r}.{n}", r) for r in _RATES for n in (1, 2))),
    (*((s, 0) for s in _LOADS), ("q100.1", 100), ("q500.1", 500), ("q1000.1", 1000)),
    (
        *((s, 0) for s in (*_LOADS, "l.i2")),
        *(
            (f"{kind}{rate}.L{level}", rate)
            for level, (kind, rate) in enumerate(
                ((k, r) for r in (100, 500, 1000) for k in ("qr", "qp")), 1
            )
        ),
    ),
    (("l", 0), ("q1000", 1000), ("q100", 100)),
)
_SLACK = 0.05  # by which a rate that was kept may miss its target


def steps_of(rates: Sequence[tuple[float, float]]) -> list[str]:
    """The step of each line, from its inserts and queries per second; '' if unknown.

    A query step that missed its rate has fewer inserts; so an order fits where all
    rates were kept, or, if there is none, where none has more inserts than it asks for.
    """
    possible = [order for order in ORDERS if _loads_fit(order, rates)]
    fitting = [order for order in possible if _rates_fit(order, rates, 1 - _SLACK)]
    fitting = fitting or [order for order in possible if _rates_fit(order, rates, 0.0)]
    named = [{order[i][0] for order in fitting} for i in range(len(rates))]
    return [names.pop() if len(names) == 1 else "" for names in named]


def _loads_fit(
    order: Sequence[tuple[str, int]], rates: Sequence[tuple[float, float]]
) -> bool:
    """As many lines or fewer, without queries exactly where the order loads."""
    return len(rates) <= len(order) and all(
        (queries == 0) == (target == 0)
        for (_, target), (_, queries) in zip(order, rates, strict=False)
    )


def _rates_fit(
    order: Sequence[tuple[str, int]], rates: Sequence[tuple[float, float]], low: float
) -> bool:
    """Inserts are ``low`` to 1 times the target of all clients.

    How many clients there are is told by the first query step, which asks for least and
    so most likely kept its rate.
    """
    steps = [
        (target, inserts)
        for (_, target), (inserts, _) in zip(order, rates, strict=False)
        if target
    ]
    if not steps:
        return True
    least = min(target for target, _ in steps)
    clients = next(inserts / target for target, inserts in steps if target == least)
    return all(
        low * target * clients <= inserts <= (1 + _SLACK) * target * clients
        for target, inserts in steps
    )
