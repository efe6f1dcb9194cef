"""Study: where a shared-memory program's time goes on workstations, and what would change it.

Predicts an application on a network today and under another technology
(`advisor.models.dvsm`), and says which component limits, which parameter saves most, what reaches a
target efficiency, and what the same program would take with messages.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.basics.quantities import count, duration, number, percent, size
from advisor.basics.rounding import ALIKE
from advisor.basics.stop_rule import ShouldStop
from advisor.models.dvsm import ApplicationTime
from advisor.models.dvsm_domain import domain_notes
from advisor.programs.shared_memory_program import SAME_NETWORK
from advisor.shared_memory.phases import application_notes
from advisor.shared_memory.technology_changes import time_without
from advisor.studies.shared_memory.advice import (
    advised_bar,
    assumed_of_ways,
    doubt,
    efficiency,
    facts,
    headed,
    headline,
    how_to_reach,
    other_ways,
)
from advisor.studies.shared_memory.findings import FACTORS, FASTER, Findings, search
from advisor.studies.shared_memory.parameters import (
    PRESETS,
    Scenario,
    SharedMemoryCase,
    SharedMemoryParameters,
)
from advisor.studies.shared_memory.views import (
    MOST_DRAWN_PROCESSORS,
    MOST_PHASES,
    TITLES,
    US,
    series,
    tables,
)
from advisor.studies.study import (
    ASSUMED,
    EQUATION,
    STATED,
    Note,
    OnProgress,
    StudyProgress,
    StudyResult,
)

SOURCE = "Parsons, Brorsson & Sevcik 1997"
_NAMED = 3


def run(
    parameters: SharedMemoryParameters,
    on_progress: OnProgress | None = None,
    should_stop: ShouldStop | None = None,
) -> StudyResult:
    """Predict both scenarios, then search for what saves and what reaches the target.

    Returns: breakdowns as bars, curves against the processor factor, savings by parameter; the
    limiting component and the cheapest change. Incomplete when stopped.
    """
    case = SharedMemoryCase.of(parameters)
    found = Findings.of(case)
    for fraction, sentence in search(case, found, should_stop):
        if should_stop is not None and should_stop():
            return _result(case, found)
        if on_progress is not None:
            on_progress(StudyProgress(fraction, sentence))
    found.complete = all(reach.complete for reach in found.reaches.values())
    return _result(case, found)


def _result(case: SharedMemoryCase, found: Findings) -> StudyResult:
    return StudyResult(
        headline=headline(case, found),
        alternative=_alternative(case, found),
        against="base",
        facts=facts(case, found),
        reasons=tuple(_reasons(case, found)),
        series=(*series(case, found), *advised_bar(case, found)),
        tables=tables(case, found),
        notes=tuple(_notes(case, found)),
        complete=found.complete,
    )


def _alternative(case: SharedMemoryCase, found: Findings) -> str:
    """How sure the advice is, and what the base and the what-if take."""
    base, what_if = (found.times[one.name] for one in case.scenarios)
    return (
        f"{doubt(case, found)}{case.application.name} takes {duration(US * base.time)} on "
        f"{count(case.application.processors, 'processor')} with {case.base.net.name}, efficiency "
        f"{efficiency(case, found, base.efficiency)}; the what-if {duration(US * what_if.time)}, "
        f"{_speed(base.time / what_if.time)}, "
        f"efficiency {efficiency(case, found, what_if.efficiency)}."
    )


def _speed(factor: float) -> str:
    if factor >= 1.0:
        return f"{number(factor)} times as fast"
    return f"{number(1.0 / factor)} times as slow"


def _reasons(case: SharedMemoryCase, found: Findings) -> Iterator[str]:
    for scenario in case.scenarios:
        yield _where_it_goes(scenario, found.times[scenario.name])
    for scenario in case.scenarios:
        if scenario.name in found.reaches:
            yield how_to_reach(case, found, scenario)
    yield from other_ways(case, found)
    yield from _what_saves(case, found)
    yield from _what_processors_do(case, found)
    if found.messages:
        yield _as_messages(case, found)


def _where_it_goes(scenario: Scenario, time: ApplicationTime) -> str:
    """The largest components, and the one without which the time would fall most."""
    most = sorted(time.breakdown.items(), key=lambda item: -item[1])[:_NAMED]
    shares = ", ".join(f"{TITLES[name]} {percent(part / time.time)}" for name, part in most)
    left = time_without(time)
    limit = min(left, key=lambda name: left[name])
    if left[limit] >= time.time * (1.0 - ALIKE):
        return f"{headed(scenario)}: {shares}; there is no overhead."
    without = "waiting for the slowest" if limit == "idle" else TITLES[limit]
    return (
        f"{headed(scenario)}: {shares}. Limited by {without}: without that, it would take "
        f"{duration(US * left[limit])}, {percent(1.0 - left[limit] / time.time)} less."
    )


def _what_saves(case: SharedMemoryCase, found: Findings) -> Iterator[str]:
    less = percent(case.asked.reduction)
    for there in found.savings:
        named = [f"{one.parameter.title} {percent(one.share)}" for one in there.savings[:_NAMED]]
        if named:
            yield (
                f"Overhead saved by {less} less of one parameter ({there.where}): "
                f"{', '.join(named)}."
            )


def _what_processors_do(case: SharedMemoryCase, found: Findings) -> Iterator[str]:
    curves = [one for one in found.curves if one.scenario == "base"]
    if curves:
        now = efficiency(case, found, curves[0].efficiencies[FACTORS.index(1.0)])
        then = " and ".join(
            f"{efficiency(case, found, one.efficiencies[FACTORS.index(FASTER)])} at a benefit of "
            f"{percent(one.system_benefit)}"
            for one in curves
        )
        yield (
            f"Processors {FASTER:g} times as fast as today's take the base's efficiency from {now} "
            f"to {then} of system software."
        )


def _as_messages(case: SharedMemoryCase, found: Findings) -> str:
    asked, told_ = case.asked, []
    for name, priced in found.messages.items():
        style = min(priced, key=lambda one: priced[one].seconds)
        seconds = priced[style].seconds
        speed = _speed(US * found.times[name].time / seconds)
        told_.append(f"{duration(seconds)} ({name}, {style.name}, {speed} as shared memory)")
    messages = f"{count(asked.messages or 0, 'message')} of {size(asked.message_bytes)}"
    return f"With {messages} from each processor instead it takes {' and '.join(told_)}."


def _notes(case: SharedMemoryCase, found: Findings) -> Iterator[Note]:
    for text in _outside(case):
        yield Note(False, text, SOURCE)
    if found.no_messages:
        yield Note(False, f"No comparison with messages: {found.no_messages}")
    if found.messages and case.asked.message_network == SAME_NETWORK:
        yield Note(
            True,
            "Messages: o is the software of one side, L the hardware's latency, G the wire; each "
            "pair has a channel of its own, as behind a switch.",
        )
    if any(one.share < 0.0 for there in found.savings for one in there.savings):
        yield Note(True, "Prefetching faults of many parts costs more than it hides.", SOURCE)
    for text in assumed_of_ways(case, found):
        yield Note(True, text, kind=ASSUMED)
    yield from _omitted(case)
    yield Note(True, case.application.name, case.application.source, STATED)
    for sentence in case.application.assumed:
        yield Note(True, f"Assumed of {case.application.name}: {sentence}", kind=ASSUMED)
    for preset in dict.fromkeys(one.preset for one in case.scenarios):
        yield Note(True, preset.network.name, preset.source, STATED)
        for sentence in preset.assumed:
            yield Note(True, f"Assumed of {preset.network.name}: {sentence}", kind=ASSUMED)
    yield Note(
        True,
        "Time of a processor = computing + page faults + collections + locks + barriers + serving "
        "others, each its count times its cost; efficiency = sequential time/(P · time)",
        SOURCE,
        EQUATION,
    )


def _outside(case: SharedMemoryCase) -> Iterator[str]:
    """What both scenarios leave of the model's domain, each said once."""
    said: dict[str, list[str]] = {}
    for one in case.scenarios:
        for text in (
            *application_notes(case.application, one.preset.key),
            *domain_notes(one.net, one.counts, one.technology),
        ):
            said.setdefault(text, []).append(one.name)
    for text, names in said.items():
        yield text if len(names) == 2 else f"{names[0].capitalize()}: {text}"
    asked = case.asked
    preset = PRESETS[asked.technology]
    if asked.other_network != SAME_NETWORK and preset.wire_per_byte is not None:
        yield (
            f"What-if: {asked.technology} states latencies, wire and signal itself; those of "
            f"{case.what_if.net.name} count only where a number is given."
        )


def _omitted(case: SharedMemoryCase) -> Iterator[Note]:
    application = case.application
    if len(application.phases) > MOST_PHASES:
        yield Note(
            True, f"Bars show the {MOST_PHASES} longest of {len(application.phases)} phases."
        )
    if application.processors > MOST_DRAWN_PROCESSORS:
        yield Note(
            True,
            f"Bars show the {MOST_DRAWN_PROCESSORS} busiest of {application.processors} "
            "processors.",
        )
