"""What `compare` prints: the best plan, and all of them as a table of what tells them apart."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.allocation.compare import Row
from advisor.allocation.measures import Measure, front
from advisor.allocation.spread import WITHIN
from advisor.basics.units import Unit
from advisor.commands.text import columns, say
from advisor.decisions.traits import columns_of, shown

_LEFT_OUT = {"endless"}  # a line is long enough without; --json has all


def say_comparison(rows: Sequence[Row], objective: str, measure: Measure) -> None:
    """Print the comparison; a star marks the Pareto front of makespan and `measure`."""
    best = min(rows, key=lambda row: row.prediction.value_s(objective))
    unit = Unit.of_times(*(row.prediction.value_s(objective) for row in rows))
    value = unit.text(best.prediction.value_s(objective))
    others = [row.name for row in rows if row is not best and row.alike_to(best, objective)]
    also = f" Tied {WITHIN}: {', '.join(others)}." if others else ""
    say(f"Best {objective}: {best.name}, {value}.{also}", "")
    marks = ["*" if on_front else "" for on_front in front(rows, measure)]
    table = [("plan", "l", [row.name for row in rows]), ("", "l", marks)]
    for trait in shown(rows):
        if trait.key not in _LEFT_OUT:
            table += columns_of(trait, rows)
    if all(heading != measure.trait.title for heading, _, _ in table):
        table += columns_of(measure.trait, rows)
    headings, sides, cells = zip(*table, strict=True)
    say(columns(headings, list(zip(*cells, strict=True)), "".join(sides)), "")
    pair = f"makespan and {measure.title}"
    say(f"* on the Pareto front of {pair}: no other plan is as good in both and better in one")
    if lack := measure.lack(rows):
        say(f"{measure.title.capitalize()} is not known of every plan: {lack}.")
