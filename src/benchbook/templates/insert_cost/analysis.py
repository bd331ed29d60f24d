"""Names of several dimensions, and what a log on a device of its own reads and writes."""

import pandas as pd

from benchmath.costs.by_cell import cell_costs
from benchmath.costs.io import main_op
from benchmath.errors import UserError
from benchmath.frames import METRIC, MetricFrame, further_dimensions

READ_OF_WRITTEN = "read of written"
LOG_COSTS = (
    READ_OF_WRITTEN, "log_r_o", "log_rkb_o", "log_w_o", "log_wkb_o", "log_bytes_o",
)  # fmt: skip
_SHARE = {"metric": READ_OF_WRITTEN, "unit": "%"}


def named(metric: MetricFrame, compared: str) -> MetricFrame:
    """The frame with a column ``compared``, which may name several dimensions.

    Their values in a row: `mariadb 10.11.19 512M`. Where these do not tell all cells
    apart, a sentence would not say whose its numbers are: UserError.
    """
    first, *others = compared.split()
    if more := further_dimensions(metric, METRIC, ["step", first, *others]):
        raise UserError(
            f"the study varies {', '.join(more)} too; write in study.yml parameters: "
            f"{{compared: {' '.join([first, *others, *more])}}}"
        )
    if not others:
        return metric
    values = metric[first].astype(str).str.cat(metric[others].astype(str), " ")
    return metric.assign(**{compared: values})


def log_costs(metric: MetricFrame) -> pd.DataFrame:
    """``cell_costs`` of the log where it has a device of its own; no row elsewhere.

    ``read of written`` is what the device read for what it wrote, in percent of its
    bytes: the mean over the runs of each one's share.
    """
    rows = main_op(metric)
    read = rows[rows["metric"] == "log_rkb_o"]
    written = rows[rows["metric"] == "log_wkb_o"]
    if written.empty:
        return cell_costs(rows.head(0), LOG_COSTS)
    both = read.merge(
        written[["run_id", "step", "value"]], on=["run_id", "step"], suffixes=("", "_of")
    )
    both = both[both["value_of"] > 0]
    share = both.assign(value=100 * both["value"] / both["value_of"], **_SHARE)
    return cell_costs(pd.concat([rows, share[rows.columns]]), LOG_COSTS)
