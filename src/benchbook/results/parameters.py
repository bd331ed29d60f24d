"""Presentation parameters, checked in the notebook itself.

`benchbook post` refuses a name that the template does not have.  Plain papermill only
logs a warning, so `collect` looks again at what was injected, and sets what study.yml
says under `parameters:`; both ways of calling make the same post.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

from benchbook.study.study import Study
from benchmath.errors import UserError

INJECTED = "# Parameters"  # papermill's first line of the cell that it adds


def apply_parameters(study: Study) -> None:
    """Set study.yml's parameters in the calling notebook; refuse names it lacks."""
    from IPython import get_ipython

    shell = get_ipython()
    if shell is None:
        return
    cells = [str(cell) for cell in shell.user_ns.get("In", [])]
    injected = next((i for i, c in enumerate(cells) if c.startswith(INJECTED)), None)
    overrides = (
        assigned(cells[injected : injected + 1]) if injected is not None else set()
    )
    defined = assigned(cells[:injected])
    check_names([*overrides, *study.parameters], defined, study)
    for name, value in study.parameters.items():
        if name not in overrides:
            shell.user_ns[name] = value


def check_names(names: Iterable[str], defined: set[str], study: Study) -> None:
    """Refuse the first name that the template's cells do not define."""
    settable = sorted(defined - {"study", "measure"})
    for name in names:
        if name not in defined:
            raise UserError(
                f"template {study.template} has no parameter {name!r}; "
                f"available: {', '.join(settable) or 'none'}"
            )


def assigned(cells: Sequence[str]) -> set[str]:
    """Names that plain assignments of some cells bind."""
    names = set()
    for cell in cells:
        try:
            tree = ast.parse(cell)
        except SyntaxError:
            continue  # a magic or a shell line
        for node in tree.body:
            if isinstance(node, ast.Assign):
                names |= {t.id for t in node.targets if isinstance(t, ast.Name)}
    return names
