"""Whether internal processes should share the application's hosts: the trees study's part of it."""

from __future__ import annotations

from advisor.basics.quantities import count, percent
from advisor.studies.study import Series, Table
from advisor.studies.trees.candidates import TreesCase
from advisor.trees.colocation import DEPENDS, MOST_PER_HOST, SHARED, Colocation, Price

_AXES = ("share of an internal process", "%")
_LOSS = ("loss of pace", "%")


def colocation_of(case: TreesCase) -> Colocation | None:
    """Of the recommended tree; None where nothing is to be shared or its share exceeds a processor.

    Without named hosts each back-end and each dedicated internal process has a host of its own.
    """
    chosen, hosts = case.chosen.measures, case.hosts
    share = max(case.costs.share(chosen.inner_fanout), 0.0) if chosen.internal else 0.0
    many = chosen.back_ends if hosts is None else len({name for name, _ in hosts.back_ends})
    apart = None if hosts is None or not hosts.internal else len({n for n, _ in hosts.internal})
    if not chosen.internal or share > 1.0 or chosen.internal > MOST_PER_HOST * many:
        return None
    return Colocation.of(
        chosen.back_ends,
        chosen.internal,
        share,
        case.asked.host_cores or 1,
        hosts=many,
        dedicated=apart,
    )


def colocation_text(found: Colocation) -> str:
    """Which is better, by how much, and up to which share sharing pays."""
    hosts, part = f"{count(found.dedicated, 'host')} of their own", percent(found.dedicated_loss)
    even = f"sharing pays as long as each takes less than {_even(found.fixed_rate)} of a processor"
    if found.share == 0.0:
        return (
            f"Hosts: internal processes on {hosts} take {part} of all; {even} "
            f"({_even(found.contender)} as a contender)."
        )
    losses = f"{percent(found.fixed_rate.loss)} ({percent(found.contender.loss)} as a contender)"
    better = {
        SHARED: "Let internal processes share the application's hosts",
        DEPENDS: "Whether internal processes should share the application's hosts is open",
    }.get(found.better, "Keep internal processes off the application's hosts")
    return f"{better}: sharing costs {losses} of its pace, {hosts} are {part} of all; {even}."


def _even(price: Price) -> str:
    return "100 %" if price.break_even is None else percent(price.break_even)


def colocation_table(found: Colocation) -> Table:
    """Both ways, the second by both prices."""

    def even(price: Price) -> float | None:
        return None if price.break_even is None else 100.0 * price.break_even

    rows = (
        ("hosts of their own", 100.0 * found.dedicated_loss, None),
        ("shared, at a fixed rate", 100.0 * found.fixed_rate.loss, even(found.fixed_rate)),
        ("shared, as a contender", 100.0 * found.contender.loss, even(found.contender)),
    )
    columns = (
        ("internal processes", ""),
        ("loss of pace", "%"),
        ("worth it up to a share of", "%"),
    )
    return Table("Co-location", columns, rows)


def colocation_series(found: Colocation) -> tuple[Series, ...]:
    """Losses by the share that an internal process takes, and the present one."""
    curves = found.curves()
    share = tuple((100.0 * curves.share).tolist())
    lines = (
        ("hosts of their own", curves.dedicated),
        ("shared, at a fixed rate", curves.fixed_rate),
        ("shared, as a contender", curves.contender),
    )
    drawn = [
        Series(name, share, tuple((100.0 * loss).tolist()), *_AXES, *_LOSS) for name, loss in lines
    ]
    if found.share > 0.0:
        here = (100.0 * found.share,) * 2
        losses = (100.0 * found.fixed_rate.loss, 100.0 * found.contender.loss)
        drawn.append(Series("at the wanted rate", here, losses, *_AXES, *_LOSS, "points"))
    return tuple(drawn)
