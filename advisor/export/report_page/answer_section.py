"""The answer in one sentence, what it gains, how far it may be from the best, and the reasons."""

from __future__ import annotations

from advisor.advice.savings import saving
from advisor.allocation.objectives import MAKESPAN, NO_BOUND, certainty
from advisor.allocation.spending import HOUR_S, Spending
from advisor.basics.quantities import count, number, percent
from advisor.basics.rounding import ALIKE
from advisor.basics.units import Unit
from advisor.decisions.instructions import start
from advisor.export.report_page.page_blocks import LEAD, Block, Fact, Facts, Listing, Section, Text
from advisor.export.report_page.subject import ADVISED, OWN, Reported
from advisor.search.titles import title_of


def _blocks(reported: Reported) -> tuple[Block, ...]:
    explanation = reported.explanation
    flips = {flip.sentence for flip in explanation.flips} | {explanation.flips_searched}
    reasons = [reason for reason in explanation.reasons if reason not in flips]
    single = _single(reported)
    if single is not None and not reported.changes:
        row = reported.rows[single]
        against = saving(row.name, reported.project.objective, reported.prediction, row.prediction)
        reasons.insert(0, against.sentence)
    sentences = [Text(_lead(reported), LEAD)]
    if reported.changes:
        sentences.append(
            Text(
                "The project's own plan differs. The report describes that plan and compares it "
                "with the advised one."
            )
        )
    else:
        sentences.append(Text(explanation.headline))
    return (*sentences, Facts(_facts(reported)), Listing.of(*dict.fromkeys(reasons)))


def _lead(reported: Reported) -> str:
    """What to do: the change that is advised, or the plan that is the answer already."""
    if reported.changes:
        return reported.explanation.headline
    objective, value_s = reported.project.objective, reported.value_s
    single = _single(reported)
    values = [row.prediction.value_s(objective) for row in reported.rows]
    other_s = value_s if single is None else values[single]
    unit = Unit.of_times(value_s, other_s)
    text = f"{start(reported.problem, reported.prediction.plan)}: {objective} {unit.text(value_s)}"
    if single is not None and other_s - value_s > ALIKE * other_s:
        less = f"{unit.text(other_s - value_s)} ({percent((other_s - value_s) / other_s)})"
        text += f", {less} less than with {reported.rows[single].name}"
    return f"{text}."


def _facts(reported: Reported) -> tuple[Fact, ...]:
    objective = reported.project.objective
    row, other = reported.rows[0], reported.advised
    answer = reported.explanation.recommendation
    shown = [one for one in reported.rows[:2] if one.name in {OWN, ADVISED}]
    unit = Unit.of_times(
        *(one.makespan_s for one in shown), *(one.total_s for one in shown), answer.lower_bound_s
    )
    first, second = row.makespan_s, row.total_s
    names = ("Makespan", "total")
    if objective != MAKESPAN:
        first, second, names = second, first, ("Total", "makespan")
    facts = [Fact(names[0], unit.text(first), f"{names[1]} {unit.text(second)}")]
    if other is not None:
        value_s = other.prediction.value_s(objective)
        change = (value_s - reported.value_s) / reported.value_s if reported.value_s else 0.0
        differs = f"{unit.signed(value_s - reported.value_s)} ({percent(change)})"
        facts.append(Fact("As advised", unit.text(value_s), differs))
    if answer.proved_optimal:
        facts.append(Fact("Proof", "none is better", title_of(answer.strategy)))
    elif certainty(answer.gap) == NO_BOUND:
        facts.append(Fact("Proof", NO_BOUND, title_of(answer.strategy)))
    else:
        bound = f"no plan takes less than {unit.text(answer.lower_bound_s)}"
        facts.append(Fact("Gap to the bound", percent(answer.gap), bound))
    busiest = row.prediction.busiest
    if busiest is not None:
        facts.append(Fact("Busiest link", percent(busiest.busy_share), busiest.name))
    return (*facts, *_spent(row.spent))


def _spent(spent: Spending) -> tuple[Fact, ...]:
    """Money and energy of the plan, where its machines tell them."""
    machines = count(spent.machines, "machine")
    facts = []
    if spent.money is not None:
        facts.append(Fact("Money", number(spent.money), f"{machines} paid until the makespan"))
    if spent.energy_j is not None:
        energy = number(spent.energy_j / HOUR_S, "Wh")
        facts.append(Fact("Energy", energy, f"{machines} drawing until the makespan"))
    return tuple(facts)


def _single(reported: Reported) -> int | None:
    """The row of everything on one machine, if it is one of the others."""
    for place, row in enumerate(reported.rows):
        if place and row.name.startswith("all on ") and len(set(row.plan.allocation)) == 1:
            return place
    return None


SECTION = Section("answer", "Answer", _blocks)
