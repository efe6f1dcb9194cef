"""What the plan decides beside where tasks run, and what each kind of decision saves."""

from __future__ import annotations

from advisor.advice.gains_by_decision import DecisionGain
from advisor.basics.quantities import UNKNOWN, count, percent
from advisor.basics.units import Unit
from advisor.decisions.allocation_decision import ALLOCATION
from advisor.decisions.registry import present
from advisor.export.report_page.page_blocks import Block, Section, Table
from advisor.export.report_page.subject import Reported

_MOST = 60


def _blocks(reported: Reported) -> tuple[Block, ...]:
    found = (_gains(reported), _decided(reported))
    return tuple(table for table in found if table is not None)


def _alone(one: DecisionGain, unit: Unit) -> str:
    if one.alone_s is not None:
        return unit.signed(-one.alone_s)
    return "can't run" if len(one.names) == 1 else "only together"


def _gains(reported: Reported) -> Table | None:
    """What each kind contributes to the gain of the advised plan; None where one kind differs."""
    gains = reported.explanation.by_decision
    if sum(len(one.names) for one in gains) < 2:
        return None
    alone = [0.0 if one.alone_s is None else one.alone_s for one in gains]
    unit = Unit.of_times(*(one.gain_s for one in gains), *alone)
    rows = tuple(
        (
            one.words,
            unit.signed(-one.gain_s),
            percent(-one.gain_s / reported.value_s) if reported.value_s else UNKNOWN,
            _alone(one, unit),
        )
        for one in gains
    )
    more = "Each is applied after those above it, largest saving first; and each alone."
    return Table(
        "What each decision saves", ("decision", "time", "share", "alone"), rows, "lrrr", more
    )


def _decided(reported: Reported) -> Table | None:
    """What is decided about programs, processors and overlays; None where there is nothing."""
    problem, plan, advised = reported.problem, reported.project.plan, reported.explanation.advised
    rows: list[tuple[str, ...]] = []
    for kind in present(problem, plan):
        if kind is ALLOCATION:
            continue
        values, others = kind.values(problem, plan), kind.values(problem, advised)
        rows += [
            (
                kind.subject(problem, one),
                kind.title.lower(),
                kind.words(problem, one, value),
                kind.words(problem, one, others[one]) if one in others else UNKNOWN,
                "left open" if kind.is_open(problem, one) else "stated",
            )
            for one, value in values.items()
        ]
    if not rows:
        return None
    left_out = len(rows) - _MOST
    more = (
        f"… and {count(left_out, 'more', 'more')}, in the project's file." if left_out > 0 else ""
    )
    table = [("of", "decision", "the plan", "as advised", "in the workload"), *rows[:_MOST]]
    if not reported.changes:
        table = [(*row[:3], row[4]) for row in table]
    return Table("What is decided", table[0], tuple(table[1:]), "", more)


SECTION = Section("decisions", "Decisions", _blocks)
