"""Engines calibrated from logs alone: runs that are simulated with known values tell them again."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from advisor.commands.cli import main
from advisor.learning import engine_fit
from advisor.learning.engine_calibration import calibrate_engine, words_of
from advisor.learning.engine_runs import EngineRun, EngineValues, engine_runs
from advisor.runs.run_record import render
from machines.catalogue.runtimes import find_preset
from machines.errors import InputError
from tests.advisor.learning.site import SPLIT, Site

EXAMPLE = Path(__file__).parents[3] / "resources" / "examples" / "mosaic.json"
pytestmark = pytest.mark.usefixtures("compiled")

TRUTH = EngineValues(task_overhead_s=1.0, begin_s=2.0, poll_s=5.0, submit_s=0.4, cycle_s=10.0,
                     own_s=8.0)  # fmt: skip


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_fit, "DRAWS", 60)


def execution(folder: Path, name: str, levels: list[int], made: int = 1, **more: object) -> Path:
    """An execution of Pegasus as WfFormat: levels of so many tasks, and jobs of its own."""
    draw = random.Random(name)
    tasks: list[dict[str, object]] = [{"name": "create_dir_w_0_local", "runtime": 0, "parents": []}]
    before: list[str] = []
    for level, count in enumerate(levels):
        here = [f"task_{level}_{k}_x" for k in range(count)]
        tasks += [
            {"name": one, "runtime": draw.uniform(1.0, 1.5), "parents": before[:20],
             "machine": draw.choice(["n1", "n2"])} for one in here
        ]  # fmt: skip
        before = here
        tasks.append({"name": f"stage_in_remote_local_{level}_0", "runtime": 0, "parents": []})
    for k in range(made):
        parents = {"name": f"stage_out_local_local_9_{k}", "runtime": 0, "parents": before[:20]}
        tasks += [parents, {"name": f"register_local_9_{k}", "runtime": 0, "parents": []}]
    for one in tasks:
        one |= {"type": "compute", "files": [], "id": one["name"]}
    machines = [{"nodeName": node, "cpu": {"count": 32, "speed": 2000}} for node in ("n1", "n2")]
    document = {
        "name": name, "schemaVersion": "1.3", "wms": {"name": "Pegasus"},
        "workflow": {"makespan": 100.0, "executedAt": "", "tasks": tasks, "machines": machines},
    }  # fmt: skip
    document["workflow"] |= more  # type: ignore[operator]
    path = folder / f"{name}.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def run_of(folder: Path, name: str, levels: list[int], made: int = 1) -> EngineRun:
    """A run that took what the true engine takes."""
    (run,), _ = engine_runs([execution(folder, name, levels, made)])
    return replace(run, actual_s=run.predicted_s(TRUTH))


SHAPES = {"wide": [24, 8], "deep": [2] * 9, "mixed": [5, 14, 3], "made": [8, 8]}


def test_what_is_simulated_with_known_values_predicts_other_workflows(tmp_path: Path) -> None:
    runs = [run_of(tmp_path, name, shape, 3) for name, shape in SHAPES.items()]
    found = calibrate_engine(runs[:3])
    expected = found.expected(runs[3])
    assert expected.makespan_s == pytest.approx(runs[3].makespan_s, rel=0.15)
    assert expected.low_s < runs[3].makespan_s < expected.high_s
    assert found.left_out_error is not None
    assert found.left_out_error < 0.15
    assert found.engine == found.preset == "pegasus"
    assert found.runtime.poll_s == pytest.approx(TRUTH.poll_s, rel=0.5)
    # without the engine it is far off, so the values say something
    assert runs[3].predicted_s(EngineValues())[-1] < 0.3 * runs[3].makespan_s


def test_one_registration_after_the_other(tmp_path: Path) -> None:
    few, many = (run_of(tmp_path, f"r{made}", [4], made) for made in (2, 7))
    alone_s = TRUTH.own_s + TRUTH.task_overhead_s
    assert many.makespan_s - few.makespan_s == pytest.approx(5 * alone_s, abs=TRUTH.cycle_s)


def test_runs_that_contradict_each_other_give_a_wide_range_and_say_so(tmp_path: Path) -> None:
    runs = [run_of(tmp_path, f"s{k}", [10, 10]) for k in range(4)]
    torn = [replace(run, actual_s=run.actual_s * factor)
            for run, factor in zip(runs, (0.5, 2.0, 0.5, 2.0), strict=True)]  # fmt: skip
    even, odd = calibrate_engine(runs), calibrate_engine(torn)
    widths = [
        found.expected(runs[0]).high_s / found.expected(runs[0]).low_s for found in (even, odd)
    ]
    assert widths[1] > 1.5 * widths[0]
    assert any("still misses its own runs" in one for one in words_of(odd))
    assert not any("still misses its own runs" in one for one in words_of(even))


def test_what_a_run_can_not_tell_keeps_near_its_preset_and_is_named(tmp_path: Path) -> None:
    # one task after the other: how long handing out takes is lost in looks and cycles
    found = calibrate_engine([run_of(tmp_path, "chain", [1, 1, 1, 1])])
    by_name = {one.name: one for one in found.values}
    assert not by_name["submit_s"].told
    assert by_name["submit_s"].low < by_name["submit_s"].preset < by_name["submit_s"].high
    said = words_of(found)
    assert any("can't tell" in one and "time of a submission" in one for one in said)
    assert any("One run can't show" in one for one in said)
    assert found.left_out_error is None


@pytest.mark.parametrize(
    ("levels", "more", "message"),
    [
        ([1], {}, "too few tasks"),
        ([5], {"makespan": 0.5}, "less than its longest task"),
    ],
)
def test_a_log_that_tells_no_engine_is_refused(
    tmp_path: Path, levels: list[int], more: dict[str, object], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        engine_runs([execution(tmp_path, "bad", levels, **more)])


def test_a_run_without_makespan_can_be_predicted_but_not_learnt_from(tmp_path: Path) -> None:
    runs, _ = engine_runs([execution(tmp_path, "open", [5, 5], makespan=0)])
    with pytest.raises(InputError, match="does not tell what the run took"):
        calibrate_engine(runs)
    found = calibrate_engine([run_of(tmp_path, "told", [5, 5])])
    assert np.isnan(found.expected(runs[0]).actual_s)


def test_engines_are_not_mixed(tmp_path: Path) -> None:
    run = run_of(tmp_path, "one", [5, 5])
    with pytest.raises(InputError, match="several engines"):
        calibrate_engine([run, replace(run, engine="dask")])
    with pytest.raises(InputError, match="several engines"):
        calibrate_engine([run]).expected(replace(run, engine="dask"))


def test_the_command_says_and_writes_what_the_next_run_is_predicted_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    logs = []
    for name in ("wide", "deep", "mixed"):
        run = run_of(tmp_path, name, SHAPES[name])
        logs.append(str(execution(tmp_path, name, SHAPES[name], makespan=run.makespan_s)))
    told = run_of(tmp_path, "made", SHAPES["made"]).makespan_s
    other = str(execution(tmp_path, "made", SHAPES["made"], makespan=told))
    out = tmp_path / "out"
    ask = ["learn", *logs, "--predict", other]
    assert main([*ask, "--out", str(out)]) == 0
    said = capsys.readouterr().out
    assert "polling period" in said
    assert "predicted from the others: median error" in said
    assert main([*ask, "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    (found,) = report["predicted"]
    assert (found["run"], found["actual_s"]) == ("made.json", pytest.approx(told))
    assert found["low_s"] < found["makespan_s"] < found["high_s"]
    # what is written predicts other plans: the same workflow takes about as long
    assert main(["catalogue", "pegasus"]) == 0
    assert main(["advise", other, "--runtime", str(out / "runtime.toml"), "--json"]) == 0
    capsys.readouterr()
    assert find_preset(str(out / "runtime.toml")).runtime.poll_s == pytest.approx(
        report["values"]["poll_s"]["value"]
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["learn", "a.json", "--platform", "p.toml"], "a platform needs the plan"),
        (["learn", "a.json", "--plan", "p.json"], "Add the log of a run"),
        (["learn", "a.json"], "no such file"),
        (
            ["advise", str(EXAMPLE), "--platform", "two-machines", "--runtime", "none.toml"],
            "none.toml",
        ),
    ],
)
def test_arguments_that_fit_no_question(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    assert message in capsys.readouterr().err


def test_run_records_tell_an_engine_and_what_they_lack_is_said(tmp_path: Path) -> None:
    record = tmp_path / "run.csv"
    record.write_text(render([Site(noise=0.01).run(SPLIT, seed) for seed in range(3)]))
    runs, notes = engine_runs([record])
    assert [run.name for run in runs] == [f"run.csv: run {seed}" for seed in range(3)]
    assert all(run.actual_s.size == 4 and (np.diff(run.actual_s) >= 0.0).all() for run in runs)
    assert any("The log tells no dependencies" in note for note in notes)
    found = calibrate_engine(runs)
    assert (found.engine, found.preset) == ("", "")
    assert "begin_s" not in found.fit.prior.names  # such a log begins with the first task
    assert found.left_out_error is not None
    assert found.left_out_error < 0.1


def test_a_worker_that_comes_late_is_said(tmp_path: Path) -> None:
    run = Site(noise=0.0).run(SPLIT)
    late = replace(run, tasks=tuple(
        one.shifted(9.0) if one.machine == "M2" else one for one in run.tasks
    ))  # fmt: skip
    record = tmp_path / "run.csv"
    record.write_text(render([late]))
    _, notes = engine_runs([record])
    assert any("a worker that comes up late is not simulated" in note for note in notes)
