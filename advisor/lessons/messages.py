"""Moritz & Frank: how long processors must compute between messages for none to wait."""

from __future__ import annotations

from advisor.basics.quantities import number, percent
from advisor.lessons.lesson import Lesson, State, Verdict, answered, figure

_LEAST, _SPARE = 0.01, 0.9
_FIELD, _TIME, _WAIT = "computation", "time per message", "contention in it"


def _judge(state: State) -> Verdict:
    values = dict(state.values or {})
    computing = float(str(values[_FIELD]))
    share = _share(values, computing)
    if share >= _LEAST:
        return Verdict(False, f"After {number(computing)} cycles of computing {percent(share)} of "
                              "a message is still contention: compute longer.")  # fmt: skip
    less = _share(values, _SPARE * computing)
    if less < _LEAST:
        return Verdict(False, f"{number(_SPARE * computing)} cycles would do, too "
                              f"({percent(less)} of contention): compute less.")  # fmt: skip
    return Verdict(True, f"Right: from about {number(computing)} cycles of computing on, messages "
                         "leave each other alone; the network is then no limit.")  # fmt: skip


def _share(values: dict[str, object], computing: float) -> float:
    """Of the time from message to message, what is contention."""
    result = answered(LESSON.study, values, **{_FIELD: computing})
    return figure(result, _WAIT) / figure(result, _TIME)


LESSON = Lesson(
    "messages",
    "When messages wait",
    "Moritz & Frank 2001",
    "Set the least computation between messages for which contention is below 1 %.",
    _judge,
    asked=(_FIELD,),
    study="styles",
)
