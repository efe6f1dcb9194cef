"""A model that is wrong does not reproduce its paper: every model function that is set beside a
published figure is made wrong in turn; exactly its figures change, and none still comes out.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
from collections.abc import Callable
from types import ModuleType

import numpy as np
import pytest

from advisor.published import diamond_figures as diamond
from advisor.published import dvsm_figures as dvsm
from advisor.published import logpc_figures as logpc
from advisor.published import mrm_figures as mrm
from advisor.published import mrnet_figures as mrnet
from advisor.published import slowdown_figures as slowdown
from advisor.published import usl
from advisor.published.figure import DEVIATES, REPRODUCED, Figure
from machines import InputError

_MODULES = (diamond, dvsm, logpc, mrm, mrnet, slowdown, usl)
# which figures rest on a function, as “figure | where”, and which only name its values in a note
RESTS = {
    (diamond, "channel_occupancy"): ("^communication over computation", None),
    (diamond, "diamond_contention"): ("at 16 000 bytes|contention begins|random mapping", None),
    (diamond, "diamond_steps"): ("^communication over computation", None),
    (dvsm, "empty_miss_time"): ("^empty miss", None),
    (dvsm, "fault_time"): ("^fault of several parts", None),
    (dvsm, "hardware_latency"): ("latency|with the maximum", None),
    (dvsm, "lock_time"): ("^lock,", None),
    (dvsm, "software_time"): ("^software (of one side|at the)", None),
    (dvsm, "software_pairs"): ("^software of an? (empty miss|lock)|with the maximum", None),
    (dvsm, "system_speed"): ("^speed of system software", None),
    (dvsm, "wire_time"): ("^wire time|with the maximum", None),
    (logpc, "asynchronous_cost"): ("asynchronous message|^largest error", "EM3D"),
    (logpc, "channel_occupancy"): (None, "^contention C_n"),
    (logpc, "contention_open"): ("^contention C_n", None),
    (logpc, "diamond_steps"): ("^cycles a message of all-to-all", None),
    (logpc, "em3d_messages"): (None, "EM3D"),
    (logpc, "inflation_bound"): (
        "^upper bound|^measured cycles|^impact of locality|^largest error", None,
    ),
    (logpc, "long_message_time"): ("full bandwidth", None),
    (logpc, "pipeline_crossover"): ("network rules", None),
    (logpc, "synchronous_cost"): (
        "round trip|contention C_r|^largest error|C_n of synchronous", None,
    ),
    (mrm, "amdahl"): (
        "Amdahl's|^cost function|Eq. \\(20\\), at|worse than|S_G as S_A",
        "^Erlang.* S_E\\(128|Jacobi",
    ),
    (mrm, "erlang_curve"): ("asynchronous messages are better", None),
    (mrm, "erlang_speedup"): ("^Erlang.* S_E\\(", "Jacobi"),
    (mrm, "gustafson"): ("^Gustafson's", None),
    (mrm, "harmonic"): ("^harmonic speedup|worse than", None),
    (mrm, "harmonic_mean_bound"): ("Eq. \\(20\\), at", None),
    (mrm, "mva"): ("^latency at", None),
    (mrm, "optimal_processors"): ("^optimal P_opt", None),
    (mrm, "serial_fraction"): ("^Gustafson's|sigma of the nCUBE2", None),
    (mrnet, "broadcast_latency"): ("^broadcast over|may complete before", None),
    (mrnet, "broadcast_period"): ("^a new broadcast", None),
    (mrnet, "front_end_share"): ("^samples serviced", None),
    (mrnet, "instantiation_latency"): ("^start-up", None),
    (slowdown, "delay_column"): ("^best delay|^delay column", None),
    (slowdown, "finish_time"): ("slowed 3×, s \\| Table [34]$", None),
    (slowdown, "simultaneous"): ("^probability pcom", "Paragon|on the Sun with"),
    (usl, "fit_usl"): ("specsdm91$|of six rounded points", None),
    (usl, "usl"): ("throughput", None),
    (usl, "usl_peak"): ("peak", None),
}  # fmt: skip
UNLIKE = [  # a shape that is none, or no size at which contention begins: nothing is computed
    (diamond, "diamond_makespan"), (mrnet, "kary"), (mrnet, "knomial"),
]  # fmt: skip
SAME = {  # ratios of two values that grow alike
    (usl, "fit_usl"): {"limit without kappa"},
    (slowdown, "finish_time"): {"least time, M1 slowed 3×, s"},
}


def functions_of(module: ModuleType) -> list[tuple[ModuleType, str]]:
    """The model functions that a module of published figures calls by name."""
    return [
        (module, name)
        for name, value in vars(module).items()
        if inspect.isfunction(value)
        and value.__module__.startswith("advisor.models.")
        and name != "application_time"  # ratios of its times, which `test_dvsm` has
    ]


def name_of(one: object) -> str:
    return one if isinstance(one, str) else str(getattr(one, "__name__", "")).rpartition(".")[2]


CALLED = [one for module in _MODULES for one in functions_of(module)]


def wrong(value: object, factor: float) -> object:
    """The value with every number in it multiplied."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, (int, float, np.ndarray, np.number)):
        return value * factor
    if isinstance(value, tuple):
        return tuple(wrong(one, factor) for one in value)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = {one.name: getattr(value, one.name) for one in dataclasses.fields(value)}
        return dataclasses.replace(
            value, **{name: wrong(one, factor) for name, one in fields.items()}
        )
    return value


def made_wrong(function: Callable[..., object], factor: float) -> Callable[..., object]:
    return lambda *arguments, **named: wrong(function(*arguments, **named), factor)


def by_name(module: ModuleType) -> dict[str, Figure]:
    return {f"{one.figure} | {one.where}": one for one in module.figures()}


def told(figure: Figure) -> tuple[float, float | None]:
    """Its numbers; a printed formula may be another model function."""
    return figure.printed, figure.obtained


def matching(pattern: str | None, names: dict[str, Figure]) -> set[str]:
    return set() if pattern is None else {name for name in names if re.search(pattern, name)}


@pytest.mark.parametrize(("module", "name"), RESTS, ids=name_of)
def test_a_wrong_function_changes_its_figures_and_no_other(
    module: ModuleType, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, noted = RESTS[module, name]
    right = by_name(module)
    monkeypatch.setattr(module, name, made_wrong(getattr(module, name), 2.0))
    wrong = by_name(module)
    assert wrong.keys() == right.keys()
    changed = {key for key in right if told(wrong[key]) != told(right[key])}
    excused = {key for key in right if key.partition(" | ")[0] in SAME.get((module, name), ())}
    assert changed == matching(own, right) - excused
    for key in right.keys() - changed:
        assert wrong[key].status == right[key].status
    written = {key for key in right if wrong[key].note != right[key].note} - changed
    assert written == matching(noted, right)


@pytest.mark.parametrize(("module", "name"), RESTS, ids=name_of)
def test_none_of_the_figures_that_rest_on_a_wrong_function_still_come_out(
    module: ModuleType, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bound that is kept by far may stay kept: then it is missed the other way."""
    own, _ = RESTS[module, name]
    right = by_name(module)
    came_out = {key for key in matching(own, right) if right[key].status == REPRODUCED}
    came_out -= {key for key in right if key.partition(" | ")[0] in SAME.get((module, name), ())}
    for factor in (2.0, 0.5) if came_out else ():
        monkeypatch.setattr(module, name, made_wrong(getattr(module, name), factor))
        wrong = by_name(module)
        monkeypatch.undo()
        came_out -= {key for key in came_out if wrong[key].status == DEVIATES}
    assert not came_out


@pytest.mark.parametrize(("module", "name"), UNLIKE, ids=name_of)
def test_a_wrong_shape_gives_no_figure_at_all(
    module: ModuleType, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, name, made_wrong(getattr(module, name), 2.0))
    with pytest.raises((InputError, RuntimeError)):
        by_name(module)


def test_every_model_function_beside_a_figure_is_made_wrong() -> None:
    assert {module for module, _ in CALLED} == set(_MODULES)
    assert {*RESTS, *UNLIKE} == set(CALLED)
    assert not RESTS.keys() & set(UNLIKE)
