"""Roth, Arnold & Miller: the fan-out that is fast enough with the fewest processes."""

from __future__ import annotations

from advisor.basics.quantities import count, duration
from advisor.lessons.lesson import Lesson, State, Verdict, answered, figure
from advisor.models.mrnet import balanced
from advisor.studies.trees.message_costs import costs_of
from advisor.studies.trees.parameters import TreesParameters
from advisor.trees.tree_costs import measure

_SHAPE, _WITHIN = "balanced", 1.8  # times as long as the fastest tree
_TIME, _MOST = "broadcast", 64


def _judge(state: State) -> Verdict:
    values = dict(state.values or {})
    best_s = figure(answered(LESSON.study, values, shape="optimal"), _TIME)
    limit_s = _WITHIN * best_s
    if values["shape"] != _SHAPE:
        words = f"Choose the shape {_SHAPE}: its broadcast is to take at most {duration(limit_s)}"
        return Verdict(False, f"{words}; the fastest tree needs {duration(best_s)}.")
    time_s, inner = _tree(values, int(str(values["fanout"])))
    if time_s > limit_s:
        return Verdict(False, f"A broadcast takes {duration(time_s)}, more than the "
                              f"{duration(limit_s)} allowed: each process serves its children one "
                              "after the other.")  # fmt: skip
    fits = [one for one in (_tree(values, k) for k in range(2, _MOST + 1)) if one[0] <= limit_s]
    fewest = min(processes for _, processes in fits)
    if inner > fewest:
        return Verdict(False, f"{duration(time_s)} is fast enough, but another fan-out does with "
                              f"{fewest:,} internal processes instead of {inner:,}.")  # fmt: skip
    return Verdict(True, f"Right: {duration(time_s)} through {count(inner, 'internal process')}; "
                         "a larger fan-out is too slow, a smaller one has more.")  # fmt: skip


def _tree(values: dict[str, object], fanout: int) -> tuple[float, int]:
    """Seconds of a broadcast, and internal processes."""
    asked = TreesParameters(**values)  # type: ignore[arg-type]
    costs, _, _ = costs_of(asked, None)
    found = measure(balanced(asked.back_ends, fanout), costs)
    return 1e-6 * found.broadcast, found.internal


LESSON = Lesson(
    "trees",
    "A tree instead of one front-end",
    "Roth, Arnold & Miller 2003",
    f"Choose the balanced tree of fewest processes within {_WITHIN:g} times the fastest broadcast.",
    _judge,
    asked=("shape", "fanout"),
    study="trees",
    settings={"shape": "flat"},
)
