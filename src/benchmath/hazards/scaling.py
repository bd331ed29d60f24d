"""What makes a scalability law doubtful."""

from benchmath.costs.io import has_metric, main_op
from benchmath.frames import MetricFrame
from benchmath.hazard import Hazard, of_steps

GROWS = 1.1  # times the database of the fewest clients


def growing_databases(metric: MetricFrame) -> list[Hazard]:
    """Steps whose database is larger the more clients there are.

    Where each client brings rows of its own, a law is of more clients on more data.
    """
    rows = main_op(metric)
    if not has_metric(rows, "size_bytes"):
        return []
    sizes = rows[rows["metric"] == "size_bytes"]
    clients = sizes["dop"].astype(int)
    ends = [
        sizes[clients == end].groupby("step", sort=False)["value"].mean()
        for end in (clients.min(), clients.max())
    ]
    times = (ends[1] / ends[0]).dropna()
    return of_steps(
        "database grows",
        times[(times > GROWS) & (times != float("inf"))],
        f"with {clients.max()} clients the database is {{most:.3g}} times as large as "
        f"with {clients.min()} in {{step}}{{also}}: each client brings its own rows, so "
        "the law is of more clients on more data",
        "{:.3g} times",
    )
