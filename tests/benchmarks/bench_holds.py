"""How long work on threads keeps the window waiting: ``python -m tests.benchmarks.bench_holds``.

What the window computes on threads of its own process shares Python's interpreter with the
window's thread: one step of numpy or of a parser that does not hand it over stops the window for so
long. Each kind of such work, large, runs beside a thread that beats each millisecond. Printed is
the longest time without a beat, of which only what the worker itself computed counts, so that other
programs do not lengthen it, and the line where the worker was. ``… bench_holds simgrid trees``
takes the kinds alone whose names have one of these words.
"""

from __future__ import annotations

import gc
import os
import shlex
import stat
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from time import perf_counter

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from advisor.advice.explain import explain
from advisor.advice.plan_difference import plan_difference
from advisor.allocation import preview
from advisor.allocation.moves import best_moves
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.campaigns.findings import findings
from advisor.export.export_record import PLAN, Planned
from advisor.export.registry import EXPORTS, export, exports_of
from advisor.export.simgrid.check import check_with_simgrid
from advisor.export.simgrid.simgrid_python import VARIABLE
from advisor.kernels import load
from advisor.project.project import Pin, Project
from advisor.project.project_file import ProjectTexts, dump_project, read_project, write_project
from advisor.published.redrawn.figures import redrawn_figures
from advisor.published.validate import published_figures
from advisor.search import advise
from advisor.studies import STUDIES, parse_settings
from advisor.studies.trees.candidates import TreesCase
from advisor.studies.trees.parameters import TreesParameters
from advisor.trees.tree_picture import TreePicture
from gui.board.graph_picture import Forecast
from gui.board.lanes import Kinds
from gui.board.layers import lay_out, units_of
from gui.board.schedule_layout import Known, laid_out
from gui.document.document import Outcome
from gui.panels.compare_columns import compared
from gui.studies.tree.work import prepared
from tests.benchmarks.bench_board import large
from tests.benchmarks.holds import TimeLimit
from tests.gui.campaign.synthetic import synthetic

LIMIT_MS = 50.0
_SHOWN = 5  # places over the limit
_ENOUGH_S, _LONG_S = 3.0, 20.0  # of work that repeats itself, of a study

Job = Callable[[], object]


class Beats:
    """Beats beside a job on a thread; the holds, the longest at each place."""

    def __init__(self, job: Job) -> None:
        self.held_s: dict[str, float] = {}
        self.whole_s = 0.0
        self._job = job

    def watch(self) -> Beats:
        """Run the job on a worker beside the beats; raises what it raises."""
        failed: list[BaseException] = []
        over, ended = threading.Event(), threading.Event()

        def work() -> None:
            try:
                self._job()
            except BaseException as error:  # noqa: BLE001 - told by the thread that asked
                failed.append(error)
            over.set()
            ended.wait()

        worker = threading.Thread(target=work, daemon=True)
        began = perf_counter()
        watch = TimeLimit().start()
        worker.start()
        over.wait()
        self.whole_s = perf_counter() - began
        for hold in watch.end():
            self.held_s[hold.where] = max(hold.seconds, self.held_s.get(hold.where, 0.0))
        ended.set()
        worker.join()
        if failed:
            raise failed[0]
        return self


def of_a_project(project: Project) -> Iterator[tuple[str, Job]]:
    """What the board, its docks and its files do with a project."""
    yield "prediction, first", lambda: predict(project.problem(), project.plan)
    problem, plan = project.problem(), project.plan
    prediction = predict(problem, plan)
    outcome = Outcome(project, problem, prediction)
    yield "prediction after an edit", lambda: predict(problem, project.plan)
    yield "schedule", lambda: laid_out(outcome, Known(), False, True, None, lambda: False)
    yield "graph", lambda: _graph(outcome)
    for exact in (False, True):
        yield (
            f"preview of a drag{', exact' if exact else ''}",
            lambda exact=exact: preview.preview(
                problem,
                plan,
                (900,),
                project.objective,
                exact,
                lambda: False,
                prediction,
            ),
        )
    yield (
        "best moves",
        lambda: best_moves(problem, plan, project.objective, should_stop=_after(_ENOUGH_S)),
    )
    found = advise(problem, strategy="heft")
    yield "explanation", lambda: explain(problem, found, plan)
    yield (
        "two plans",
        lambda: plan_difference(
            problem, ("now", prediction), ("heft", predict(problem, found.plan))
        ),
    )
    pinned = replace(project, pins=(Pin("heft", found.plan),))
    yield "comparison", lambda: compared(replace(outcome, project=pinned), lambda: False)
    yield from _files(project, outcome)


def _after(seconds: float) -> Callable[[], bool]:
    """A wish to stop, so long after it is first asked for."""
    asked: list[float] = []

    def late() -> bool:
        asked.append(perf_counter())
        return asked[-1] - asked[0] > seconds

    return late


def _graph(outcome: Outcome) -> None:
    workload = outcome.project.workload
    kinds = Kinds.of([task.group for task in workload.tasks])
    Forecast.of(outcome, lay_out(workload, units_of(workload, kinds, lambda: False), frozenset()))


def _files(project: Project, outcome: Outcome) -> Iterator[tuple[str, Job]]:
    folder = Path(tempfile.mkdtemp())
    file, texts = folder / "large.placewise.json", ProjectTexts()
    planned = Planned(outcome.problem, project.plan, outcome.prediction)
    write_project(project, file)
    yield "reading the project", lambda: read_project(file)
    yield "saving the project", lambda: dump_project(project)
    yield "autosave, first", lambda: texts.text(project)
    moved = replace(project, plan=Plan((1, *project.plan.allocation[1:])))
    yield "autosave, next", lambda: texts.text(moved)
    for name in exports_of(PLAN):
        path = folder / f"plan{EXPORTS[name].suffix}"
        yield f"export {name}", lambda name=name, path=path: export(name, planned, path)
    os.environ[VARIABLE] = str(_instead_of_simgrid(folder, outcome))
    yield "simgrid check", lambda: check_with_simgrid(outcome.problem, project.plan)


def _instead_of_simgrid(folder: Path, outcome: Outcome) -> Path:
    """A program that answers at once as SimGrid would after a while: with what is predicted."""
    import json

    prediction, project = outcome.prediction, outcome.project
    times = zip(prediction.start_s.tolist(), prediction.end_s.tolist(), strict=True)
    tasks = {
        task.name: {"machine": "node00", "start_s": start_s, "end_s": end_s}
        for task, (start_s, end_s) in zip(project.workload.tasks, times, strict=True)
    }
    transfers = [
        {"item": f"{flow.source} to {flow.target}", "from": "node00", "to": "node01",
         "start_s": 1.0, "end_s": 2.0, "bytes": 1e6}
        for flow in project.workload.flows
    ]  # fmt: skip
    result = {
        "format": "placewise-simulated", "version": 1, "simulator": "SimGrid 4.0", "spent_s": 1.0,
        "processor_s": 1.0, "makespan_s": prediction.makespan_s, "tasks": tasks,
        "transfers": transfers,
    }  # fmt: skip
    (folder / "result.json").write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    program = folder / "python"
    answer = shlex.quote(str(folder / "result.json"))
    program.write_text(f'#!/bin/sh\n[ "$1" = -c ] && echo 4.0 || cp {answer} "$4"\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return program


def of_studies(problem: Problem) -> Iterator[tuple[str, Job]]:
    """The studies at their largest, and the pictures that are made of them."""
    asked: list[tuple[str, str, dict[str, str]]] = [
        ("decision map", "decision-map", {}),
        ("styles, 16×16×16", "styles", {"dims": "16x16x16 torus"}),
        ("styles, neighbours, 16×16×16", "styles",
         {"dims": "16x16x16 torus", "pattern": "neighbours"}),
        ("mapping, diamond, 16×16×16", "mapping", {"dims": "16x16x16 torus"}),
        ("mapping, random, 16×16×16", "mapping",
         {"dims": "16x16x16 torus", "pattern": "random", "messages": "1000000"}),
        ("mapping, all-to-all, 8×8×16", "mapping",
         {"dims": "8x8x16 torus", "pattern": "all-to-all"}),
        ("blocks", "blocks", {}),
        ("scaling", "scaling", {}),
        ("sharing", "sharing", {}),
        ("shared memory", "shared_memory", {}),
    ]  # fmt: skip
    for title, name, settings in asked:
        yield f"study {title}", lambda name=name, settings=settings: _study(name, problem, settings)
    for name in ("styles", "mapping", "blocks", "trees"):
        yield f"simulation of {name}", lambda name=name: _study(name, problem, {}, simulated=True)
    many = {"back_ends": "1000000"}
    yield "study trees, 10⁶ back-ends", lambda: _study("trees", problem, many)
    case = TreesCase.of(TreesParameters(back_ends=1_000_000))
    picture = TreePicture(case.costs, case.trees, case.best)
    yield "picture of a tree of 10⁶", lambda: prepared(picture, picture.chosen, None, None)
    yield "published numbers", published_figures
    yield "published figures, redrawn", redrawn_figures


def _study(
    name: str, problem: Problem, settings: dict[str, str], simulated: bool = False
) -> object:
    asked = STUDIES[name]
    inputs: dict[str, object] = {"problem": problem} if asked.needs_problem else {}
    parameters = parse_settings(asked.record, [f"{k}={v}" for k, v in settings.items()], **inputs)
    call = asked.check if simulated else asked.run
    assert call is not None
    return call(parameters, None, _after(_LONG_S))


def of_campaigns() -> Iterator[tuple[str, Job]]:
    """What a hundred thousand rows show."""
    results = synthetic(100_000)
    yield "findings of 100,000 rows", lambda: findings(results)


def main() -> None:
    """Run all kinds of work, or those that are named, and print."""
    load()
    gc.disable()  # the window collects on its own thread
    small = large(2_000, 8)
    words = sys.argv[1:]
    print(f"\nHolds of the interpreter, ms{'':21}{'longest':>10}{'whole':>10}")
    for name, job in (
        *of_a_project(large()),
        *of_studies(Problem.of(small.platform, small.workload)),
        *of_campaigns(),
    ):
        if words and not any(word in name for word in words):
            continue
        found = Beats(job).watch()
        holds = sorted(((1e3 * each, where) for where, each in found.held_s.items()), reverse=True)
        print(f"{name:48}{holds[0][0]:10.1f}{1e3 * found.whole_s:10.0f}  {holds[0][1]}", flush=True)
        for held, where in holds[:_SHOWN]:
            if held > LIMIT_MS:
                print(f"{'over':>44}{held:14.1f}{'':12}{where}")


if __name__ == "__main__":
    main()
