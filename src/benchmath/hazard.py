"""What makes a number doubtful, as a value that stands beside it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import pandas as pd


@dataclass(frozen=True)
class Hazard:
    """A warning: a short code, one sentence, and the rows it is about."""

    code: str
    text: str
    where: Mapping[str, str] = field(default_factory=dict)

    def concerns(self, row: Mapping[str, object]) -> bool:
        """True if the row has every value of ``where``."""
        return all(str(row.get(k)) == str(v) for k, v in self.where.items())


def of_steps(
    code: str,
    amounts: pd.Series,
    words: str,
    brief: str = "{:.2g}%",
    least: bool = False,
) -> list[Hazard]:
    """A hazard per step under one text, so that a table says it once.

    ``amounts`` is by step. The text is of the step with most (``least``: fewest):
    ``words`` with {most} and {step}, and the others in brief in place of {also}.
    """
    if amounts.empty:
        return []
    worst = amounts.idxmin() if least else amounts.idxmax()
    rest = amounts.drop(worst)
    others = ", ".join(f"{step} {brief.format(value)}" for step, value in rest.items())
    also = f" (also {others})" if others else ""
    text = words.format(most=amounts[worst], step=worst, also=also)
    return [Hazard(code, text, {"step": str(step)}) for step in amounts.index]
