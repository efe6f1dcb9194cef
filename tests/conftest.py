"""Fixtures of all tests: an offscreen display, folders of their own, two small projects."""

from __future__ import annotations

import contextlib
import gc
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

# every run draws the same few examples; HYPOTHESIS_PROFILE=thorough draws others, and many
settings.register_profile("repeatable", derandomize=True, deadline=None, max_examples=12)
settings.register_profile("thorough", deadline=None, max_examples=400)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "repeatable"))

# each worker, and each of the many processes that tests start, would compile all modules again
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# before Qt starts: no display, and nothing of the user's settings or recovery files
os.environ["QT_QPA_PLATFORM"] = "offscreen"
_HOME = Path(tempfile.mkdtemp(prefix="placewise-tests-"))
for _name in ("CONFIG", "DATA", "STATE"):
    os.environ[f"XDG_{_name}_HOME"] = str(_HOME / _name.lower())

from advisor import kernels  # noqa: E402
from advisor.advice import how_sure, known  # noqa: E402
from advisor.allocation.plan import Plan  # noqa: E402
from advisor.allocation.workload import Flow, Task, Workload  # noqa: E402
from advisor.odds import dispatch  # noqa: E402
from advisor.project.project import Project  # noqa: E402
from advisor.search.incumbent import TimeLimit  # noqa: E402
from machines import Contender, Direction, Link, Machine, Platform  # noqa: E402
from tests.fitted_once import fit_once  # noqa: E402

if TYPE_CHECKING:
    from gui.document.document import Document

_TESTS = Path(__file__).parent
_WHOLE = {  # what these run, tests of its parts run
    "advisor/campaigns/test_example.py",
    "advisor/search/test_second_best.py",
    "advisor/studies/scaling/test_not_refuted.py",
    "advisor/studies/test_elsewhere.py",
    "fuzzing/test_fuzzing.py",
    "gui/document/test_same_answer.py",
    "gui/shell/test_every_choice.py",
    "gui/shell/test_random_edits.py",
    "gui/shell/test_walk.py",
}
_KINDS = ("prepare", "fit", "check", "filter", "merge")


def pytest_configure(config: pytest.Config) -> None:
    """Compile the kernels before there are workers, which would wait for each other."""
    if getattr(config.option, "numprocesses", None):
        kernels.prepare()


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Every second worker reads folders from behind, and finds compiled what others compiled.

    In one order all would compile all modules of tests, side by side.
    """
    report = yield
    if isinstance(collector, pytest.Directory) and _reads_backwards(collector.config):
        report.result.reverse()
    return report


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The same order for all workers; with TEST_SEED another one, in which all pass as well.

    Lines are counted in the first case of each test, and not in those that go through the whole
    house again: counting takes half as long again as running, and what one case runs is enough for
    a floor.
    """
    if config.pluginmanager.hasplugin("_cov"):
        first: dict[tuple[Path, str], pytest.Item] = {}
        for item in items:
            known = first.setdefault((item.path, item.nodeid.partition("[")[0]), item)
            if known is not item or str(item.path.relative_to(_TESTS)) in _WHOLE:
                item.add_marker(pytest.mark.no_cover)
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: item.path.parts)
    if seed := os.environ.get("TEST_SEED"):
        random.Random(seed).shuffle(items)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None]:
    """Fixtures are counted where a module's tests first take them."""
    fixtures = item.path, tuple(getattr(item, "fixturenames", ()))
    with _uncounted(item, unless=fixtures not in _counted):
        yield
    _counted.add(fixtures)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None]:
    """What ends with a test that is not counted is not either."""
    with _uncounted(item, unless=item.get_closest_marker("no_cover") is None):
        yield


_counted: set[tuple[Path, tuple[str, ...]]] = set()


@contextlib.contextmanager
def _uncounted(item: pytest.Item, *, unless: bool) -> Iterator[None]:
    """Lines that run meanwhile are not counted."""
    counter = item.config.pluginmanager.getplugin("_cov")
    if counter is None or unless:
        yield
        return
    counter.cov_controller.pause()
    try:
        yield
    finally:
        counter.cov_controller.resume()


def _reads_backwards(config: pytest.Config) -> bool:
    worker: str = getattr(config, "workerinput", {}).get("workerid", "gw0")
    return int(worker.removeprefix("gw")) % 2 == 1


def pytest_collection_finish() -> None:
    """Collect between tests only: on the thread of Qt's objects, see gui/basics/collector.py."""
    gc.collect()
    gc.freeze()
    gc.disable()


@pytest.fixture(autouse=True)
def collected() -> Iterator[None]:
    """Collect what Python would have collected by now; tests of the window collect everything."""
    yield
    counts = zip(gc.get_count(), gc.get_threshold(), strict=True)
    due = [generation for generation, (count, most) in enumerate(counts) if count > most > 0]
    if due:
        gc.collect(due[-1])
        if due[-1] == 2:
            gc.freeze()


@pytest.fixture(autouse=True)
def by_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """No clock ends a search of this process: a slow or busy machine finds the same plans."""

    def stopped(watch: TimeLimit) -> bool:
        return watch.should_stop is not None and watch.should_stop()

    monkeypatch.setattr(TimeLimit, "stopped", stopped)


_DRAWS = {  # where, and how many in tests
    "advisor.advice.how_sure.MOST_DRAWS": (how_sure.MOST_DRAWS, 64),
    "advisor.advice.known.EVEN_DRAWS": (known.EVEN_DRAWS, 64),
    "advisor.odds.dispatch.STEPS": (dispatch.STEPS, 100),
}


@pytest.fixture(autouse=True, scope="session")
def few_draws() -> Iterator[None]:
    """Answers of tests rest on one batch of draws."""
    with pytest.MonkeyPatch.context() as patch:
        for name, (_, few) in _DRAWS.items():
            patch.setattr(name, few)
        yield


@pytest.fixture
def usual_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as a user gets."""
    for name, (usual, _) in _DRAWS.items():
        monkeypatch.setattr(name, usual)


@pytest.fixture(autouse=True, scope="session")
def fitted_once() -> Iterator[None]:
    """A third of all fits are of data that another test has had fitted."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("advisor.scaling.laws.fit_shapes", fit_once)
        yield


def pytest_unconfigure() -> None:
    """Remove the folders of this run."""
    shutil.rmtree(_HOME, ignore_errors=True)


@pytest.fixture(scope="module")
def compiled() -> Iterator[None]:
    """Compiled kernels here, and afterwards as before."""
    before = kernels.loaded()
    kernels.load()
    yield
    if not before:
        kernels.unload()


def two_machines(contenders: int = 0) -> Project:
    """Figueira & Berman 1996, Table 1: A then B on M1 or M2, both on M1 at first.

    With `contenders` CPU-bound applications on M1 (two of them: Table 2).
    """
    busy = tuple(Contender(f"job {number + 1}", 1.0) for number in range(contenders))
    both_ways = Direction(0.001, 1e6)
    platform = Platform(
        "two machines",
        (Machine("M1", contenders=busy), Machine("M2")),
        (Link("M1", "M2", both_ways, both_ways),),
    )
    tasks = (
        Task("A", seconds=(("M1", 12.0), ("M2", 18.0))),
        Task("B", seconds=(("M1", 4.0), ("M2", 30.0))),
    )
    flow = Flow("A", "B", seconds=((("M1", "M2"), 7.0), (("M2", "M1"), 8.0)))
    return Project(platform, Workload("A then B", tasks, (flow,)), Plan((0, 0)))


def cluster(machines: int = 5, width: int = 11, stages: int = 5) -> Project:
    """A workflow of `stages` stages of `width` tasks each, with a split and a join, in turn on
    `machines` machines of different speed and cores, all linked."""
    platform = Platform(
        "small cluster",
        tuple(
            Machine(
                f"node{i}",
                cores=1 + i % 3,
                speed=1.0 + 0.5 * i,
                contenders=(Contender("shared", 0.5, 0.25),) if i == 1 else (),
            )
            for i in range(machines)
        ),
        tuple(
            Link(f"node{i}", f"node{j}", Direction(0.01, 2e6), Direction(0.01, 2e6))
            for i in range(machines)
            for j in range(i)
        ),
    )
    tasks = [Task("split", work=2.0)]
    flows = []
    for stage in range(stages):
        for lane in range(width):
            name = f"{_KINDS[stage % 5]}_{stage}{lane:02d}"
            tasks.append(Task(name, work=1.0 + (7 * stage + 3 * lane) % 10))
            above = "split" if stage == 0 else tasks[-1 - width].name
            flows.append(Flow(above, name, ((1, 1e5 * (1 + lane % 4)),)))
            if stage > 0 and lane % 3 == 0:
                flows.append(Flow(tasks[-width].name, name, ((2, 5e4),)))
    flows += [Flow(task.name, "join", ((1, 2e5),)) for task in tasks[-width:]]
    tasks.append(Task("join", work=3.0))
    workload = Workload("staged workflow", tuple(tasks), tuple(flows))
    return Project(platform, workload, Plan(tuple(i % machines for i in range(len(tasks)))))


@pytest.fixture
def document(qapp: object) -> Document:
    """Figueira & Berman's two tasks on two machines; no prediction runs yet."""
    from gui.document.document import Document

    return Document(two_machines())


@pytest.fixture
def loaded_document(qapp: object) -> Document:
    """The same with two CPU-bound contenders on M1."""
    from gui.document.document import Document

    return Document(two_machines(contenders=2))


@pytest.fixture
def cluster_document(qapp: object) -> Document:
    """57 tasks on 5 machines with 1 to 3 cores, one of them shared."""
    from gui.document.document import Document

    return Document(cluster())
