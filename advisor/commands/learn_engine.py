"""The subcommand `learn` without a workload: an engine calibrated from logs alone."""

from __future__ import annotations

import sys
from argparse import Namespace

from advisor import kernels
from advisor.basics.quantities import duration, percent
from advisor.commands.inputs import warn
from advisor.commands.text import columns, said_before, say, say_json
from advisor.learning.engine_calibration import (
    TITLES,
    EngineCalibration,
    Expected,
    calibrate_engine,
    words_of,
)
from advisor.learning.engine_runs import engine_runs
from machines.catalogue.runtimes import Preset, dump_preset
from machines.folders import expect_new_folder, write_folder


def learn_engine(arguments: Namespace) -> int:
    """Calibrate, predict what is held out, and say and write both."""
    if arguments.out is not None:
        expect_new_folder(arguments.out)
    runs, notes = engine_runs(arguments.files)
    held_out, more = engine_runs(arguments.predict)
    kernels.load()
    found = calibrate_engine(runs)
    expected = [found.expected(run) for run in held_out]

    def write() -> None:
        if arguments.out is not None:
            write_folder(arguments.out, {"runtime.toml": dump_preset(_as_preset(found))})

    with said_before(write):
        if arguments.json:
            say_json(_report(found, expected, (*notes, *more)))
            return 0
        _say(found, expected)
    if arguments.out is not None:
        say(f"Written into {arguments.out}: runtime.toml; use it with --runtime.")
    sys.stdout.flush()
    warn((*notes, *more))
    return 0


def _as_preset(found: EngineCalibration) -> Preset:
    names = ", ".join(run.name for run in found.runs)
    return Preset(
        f"{found.engine or 'Engine'}, calibrated",
        found.runtime,
        f"Calibrated by simulation of {names}. {'. '.join(words_of(found))}",
    )


def _say(found: EngineCalibration, expected: list[Expected]) -> None:
    say(f"{found.engine or 'An engine that no log names'}, calibrated by simulating its runs", "")
    say(_values(found), "", _fitted(found), "")
    for sentence in words_of(found):
        say(f"{sentence}.")
    if expected:
        say("", _expected(expected))


def _values(found: EngineCalibration) -> str:
    """A line a number."""
    rows = [
        (
            TITLES[one.name],
            duration(one.value),
            f"{duration(one.low)} to {duration(one.high)}" if one.high > one.low else "",
            duration(one.preset),
            "the runs" if one.told else "the preset" if found.preset else "no run",
        )
        for one in found.values
    ]
    return columns(("What", "Calibrated", "90 % of draws", "Before", "Told by"), rows, "lrrr")


def _fitted(found: EngineCalibration) -> str:
    """A line a run, with what the others alone make one expect of it."""
    left_out = found.left_out_s
    rows = [
        (
            one.name,
            duration(one.actual_s),
            duration(one.makespan_s),
            _off(one.makespan_s, one.actual_s),
            duration(left_out[at]) if left_out else "",
            _off(left_out[at], one.actual_s) if left_out else "",
        )
        for at, one in enumerate(found.fitted)
    ]
    return columns(("Run", "Actual", "Calibrated", "off", "From the others", "off"), rows, "lrrrrr")


def _expected(expected: list[Expected]) -> str:
    """A line a run that was held out."""
    rows = [
        (
            one.name,
            duration(one.makespan_s),
            f"{duration(one.low_s)} to {duration(one.high_s)}",
            duration(one.actual_s) if one.actual_s > 0.0 else "not told",
            _off(one.makespan_s, one.actual_s),
        )
        for one in expected
    ]
    return columns(("Predicted", "Expected", "9 of 10 runs", "Actual", "off"), rows, "lrrrr")


def _off(predicted_s: float, actual_s: float) -> str:
    if not actual_s > 0.0:
        return ""
    off = predicted_s / actual_s - 1.0
    return f"{'−' if off < 0 else '+'}{percent(abs(off))}"


def _report(
    found: EngineCalibration, expected: list[Expected], notes: tuple[str, ...]
) -> dict[str, object]:
    """The JSON object."""
    left_out = found.left_out_s or [None] * len(found.runs)
    return {
        "engine": found.engine,
        "preset": found.preset,
        "values": {
            one.name: {
                "value": one.value, "low": one.low, "high": one.high, "preset": one.preset,
                "told": one.told,
            }
            for one in found.values
        },
        "noise": found.noise,
        "runs": [
            {"run": one.name, "actual_s": one.actual_s, "calibrated_s": one.makespan_s,
             "left_out_s": left_out[at]}
            for at, one in enumerate(found.fitted)
        ],
        "left_out_error": found.left_out_error,
        "sentences": words_of(found),
        "predicted": [
            {"run": one.name, "makespan_s": one.makespan_s, "low_s": one.low_s,
             "high_s": one.high_s, "actual_s": one.actual_s if one.actual_s > 0.0 else None}
            for one in expected
        ],
        "warnings": list(dict.fromkeys(notes)),
    }  # fmt: skip
