"""Frame times of the board at 30,000 tasks: ``python -m tests.benchmarks.bench_board``.

Prints a table of the ground's painting time at several zooms, of what is painted on top during a
drag, and of the layout off the window's thread; the frame budget is 16 ms.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from time import perf_counter, sleep

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication

from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.task_causes import task_causes
from advisor.allocation.workload import Flow, Task, Workload
from advisor.kernels import load
from advisor.project.project import Project
from gui.board.board_view import BoardView
from gui.board.graph_view import GraphView
from gui.board.lanes import Kinds, lay_out
from gui.board.schedule_view import ScheduleView
from gui.document.document import Document, Outcome, Selection
from gui.panels.two_plans import Pair, TwoPlans
from machines import Direction, Link, Machine, Platform

BUDGET_MS = 16.0
_KINDS = ("project", "difference", "fit", "background", "add")


def large(tasks: int = 30_000, machines: int = 32, cores: int = 1) -> Project:
    """A workflow of chains that meet now and then, in turn on `machines` machines."""
    both = Direction(0.001, 1e8)
    platform = Platform(
        "large",
        tuple(Machine(f"node{i:02d}", cores=cores, speed=1 + i % 4) for i in range(machines)),
        tuple(
            Link(f"node{i:02d}", f"node{j:02d}", both, both)
            for i in range(machines)
            for j in range(i)
        ),
    )
    work = [0.0 if i % 5 == 3 else 1.0 + (i * 7919) % 23 for i in range(tasks)]
    made = tuple(Task(f"{_KINDS[i % 5]}_{i:05d}", work=work[i]) for i in range(tasks))
    flows = tuple(
        Flow(made[i - back].name, made[i].name, ((1, 1e6 * (1 + i % 3)),))
        for i in range(200, tasks)
        for back in ((200,) if i % 3 else (200, 137))
    )
    return Project(
        platform,
        Workload("large", made, flows),
        Plan(tuple(i % machines for i in range(tasks))),
    )


def best_ms(call: Callable[[], object], repeat: int = 7) -> float:
    """The shortest of some runs, milliseconds."""
    times = []
    for _ in range(repeat):
        begin = perf_counter()
        call()
        times.append(perf_counter() - begin)
    return 1e3 * min(times)


def wait_for(ready: Callable[[], bool]) -> None:
    """Let queued signals arrive."""
    end = perf_counter() + 60
    while not ready() and perf_counter() < end:
        QCoreApplication.sendPostedEvents()
        QApplication.processEvents()
        sleep(0.005)


def ground_ms(view: ScheduleView | GraphView) -> float:
    """Painting everything anew, as scrolling and zooming do."""

    def frame() -> None:
        view.horizontalScrollBar().valueChanged.emit(0)
        view.grab()

    return best_ms(frame)


def measure(cores: int) -> list[tuple[str, float]]:
    """Rows of the table for machines of so many cores."""
    project = large(cores=cores)
    problem = Problem.of(project.platform, project.workload)
    document = Document(project)
    board = BoardView(document)
    board.resize(1280, 800)
    board.show()
    outcome = Outcome(project, problem, predict(problem, project.plan))
    kinds = Kinds.of([task.group for task in project.workload.tasks])
    causes = task_causes(problem.costs, outcome.prediction)
    rows = [("layout (worker)", best_ms(lambda: lay_out(outcome.prediction, causes, 32, kinds), 3))]
    document.receive(outcome)
    view = board.schedule
    wait_for(lambda: view.lanes is not None)
    for zoom in (1, 4, 16, 40, 100, 1000):
        board.fit()
        if zoom > 1:
            view.zoom(zoom)
        rows.append((f"schedule, zoom × {zoom}", ground_ms(view)))
    board.fit()
    board.load_box.click()
    rows.append(("loads unfolded", ground_ms(view)))
    board.load_box.click()
    board.fit()
    document.select(Selection(tasks=frozenset(range(0, 30_000, 5))))
    view.grab()
    rows.append(("6,000 selected, on top", best_ms(view.grab)))
    board.carrying.pick_up(frozenset((900,)), 900)
    wait_for(lambda: board.offers.preview is not None)
    view.grab()

    def aim() -> None:
        board.carrying.aim((board.carrying.target or 0) ^ 1)
        view.grab()

    rows.append(("frame of a drag", best_ms(aim)))
    board.carrying.cancel()
    board.show_view("graph")
    wait_for(lambda: board.graph.layers is not None)
    rows.append(("graph, fit", ground_ms(board.graph)))
    board.graph.zoom(30)
    rows.append(("graph, zoom × 30", ground_ms(board.graph)))
    board.close()
    return rows + two_schedules(document, outcome)


def two_schedules(document: Document, outcome: Outcome) -> list[tuple[str, float]]:
    """Both plans on one time axis: their layout, a frame of zooming, and one with a selection."""
    project, problem = outcome.project, outcome.problem
    shifted = Plan(tuple((i // 3) % len(project.platform.machines) for i in range(30_000)))
    other = predict(problem, shifted)
    plans = TwoPlans(document)
    plans.resize(1280, 800)
    plans.show()
    begin = perf_counter()
    plans.show_pair(Pair(outcome, ("now", outcome.prediction), ("shifted", other)))
    rows = [("two schedules, the call", 1e3 * (perf_counter() - begin))]
    wait_for(lambda: plans.difference is not None and plans.views[1].lanes is not None)
    for zoom in (1, 40):
        plans.views[0].fit()
        if zoom > 1:
            plans.views[0].zoom(zoom)

        def frame() -> None:
            plans.views[0].renew()
            plans.grab()

        rows.append((f"two schedules, zoom × {zoom}", best_ms(frame)))
    plans.close_jobs()
    plans.close()
    return rows


def main() -> None:
    """Print the table."""
    application = QApplication.instance() or QApplication([])
    load()
    for cores in (1, 16):
        print(f"\n30,000 tasks on 32 machines of {cores} cores, 1280 × 800 pixels")
        for name, milliseconds in measure(cores):
            ratio = milliseconds / BUDGET_MS
            print(f"  {name:<28}{milliseconds:8.2f} ms   {ratio:5.2f} of a frame")
    application.processEvents()


if __name__ == "__main__":
    main()
