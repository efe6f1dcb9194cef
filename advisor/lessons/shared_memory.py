"""Parsons, Brorsson & Sevcik: which technology a program on workstations needs most."""

from __future__ import annotations

from advisor.basics.quantities import percent
from advisor.lessons.lesson import Lesson, State, Verdict, answered, figure

_PARTS = ("protocol", "fault", "lock", "interface_latency", "switch_latency", "wire_per_byte",
          "signal")  # fmt: skip
_EFFICIENCY = "what-if efficiency"


def _judge(state: State) -> Verdict:
    values = dict(state.values or {})
    differ = LESSON.changed(state)
    if len(differ) != 1:
        text = "none yet" if not differ else ", ".join(differ)
        return Verdict(False, f"Change one parameter of the what-if ({text}).")
    (name,) = differ
    value = values[name]
    if not isinstance(value, float) or not 0.0 < value < 1.0:
        return Verdict(False, "Make it better: a factor between 0 and 1.")
    gains = {part: _reached(values, name, part, value) for part in _PARTS}
    best = max(gains, key=lambda part: gains[part])
    was = figure(answered(LESSON.study, {**values, name: None}), _EFFICIENCY)
    told = f"efficiency goes from {percent(was / 100)} to {percent(gains[name] / 100)}"
    if gains[name] < gains[best]:
        return Verdict(False, f"The {told}; another parameter, as much better, gives more.")
    return Verdict(True, f"Right: the {told}, more than with any other parameter as much better.")


def _reached(values: dict[str, object], name: str, part: str, value: float) -> float:
    return figure(answered(LESSON.study, {**values, name: None, part: value}), _EFFICIENCY)


LESSON = Lesson(
    "shared_memory",
    "What holds workstations back",
    "Parsons, Brorsson & Sevcik 1995",
    "Which one parameter of the technology, at 0.2, raises the what-if's efficiency most?",
    _judge,
    asked=_PARTS,
    study="shared_memory",
    settings={"technology": "today"},
)
