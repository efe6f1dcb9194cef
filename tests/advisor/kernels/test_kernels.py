"""Compiled kernels give what the plain ones give, and come and go as they should."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from advisor import kernels
from advisor.allocation.bounds import bounds_of
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.preview import preview
from advisor.allocation.problem import Problem
from advisor.allocation.timeline import makespan, previews, rank_order
from advisor.allocation.timeline_modes import SHARINGS
from advisor.allocation.workload import Flow, Task, Workload
from advisor.kernels import __main__ as command
from advisor.kernels import cache, compiling, paths_kernel
from advisor.kernels import schedule_kernel as schedule
from advisor.kernels.instance import Instance
from advisor.odds import drawn_makespans, draws_of
from advisor.runs.delay_chain import Chain, Delays, gaps, weights
from advisor.search.batch import sufferage
from advisor.search.dynamic_levels import bil, dls, etf, gdl
from advisor.search.fast_lists import fcp, flb, lookahead
from advisor.search.immediate import mct, met, olb
from advisor.search.list_scheduling import cpop, heft, max_min, min_min, peft
from advisor.search.network_aware_lists import heft_shared, peft_shared
from machines import Machine, Platform
from tests.advisor.random_problems import random_plan, random_problem

SCHEDULERS = (
    *(heft, cpop, peft, min_min, max_min, heft_shared, peft_shared),
    *(mct, met, olb, sufferage, etf, dls, gdl, bil, fcp, flb, lookahead),
)


@pytest.fixture
def plain() -> Iterator[None]:
    """Plain kernels before and after, as most tests want them."""
    before = kernels.loaded()
    kernels.unload()
    yield
    kernels.unload()
    if before:
        kernels.load()


def delayed(seed: int) -> list[object]:
    """What the delays of a random chain of tasks weigh, and its gaps."""
    draw, tasks = np.random.default_rng(seed), 20
    inputs = [[(place, int(draw.integers(-1, place)))] for place in range(1, tasks)]
    links = Chain(
        tuple(range(tasks)),
        tuple(draw.integers(0, 3, tasks).tolist()),
        tuple(draw.integers(1, 4, tasks).tolist()),
        (1, 3, 4),
        ((), *map(tuple, inputs)),
    )
    first, last = (Delays(*draw.uniform(0.0, 1.0, (3, tasks))) for _ in range(2))
    found = [one.tolist() for one in weights(links, first, last)]
    begin_s = np.sort(draw.uniform(0.0, 9.0, tasks))
    return [*found, gaps(links, begin_s, begin_s + 1.0, first.arc_s).tolist()]


def outcome(seed: int) -> list[object]:
    """All that the kernels say of one random problem."""
    made = random_problem(seed, most_tasks=25)
    problem = Problem.of(made.platform, made.workload)
    plan = random_plan(problem, seed)
    prediction = predict(problem, plan)
    moved = np.array([0], np.int32)
    allocation = np.array(plan.allocation, np.int32)
    return [
        prediction.start_s.tolist(),
        prediction.end_s.tolist(),
        prediction.total_s,
        prediction.critical.tolist(),
        prediction.lower_bounds_s,
        rank_order(problem.instance).tolist(),
        [scheduler(problem) for scheduler in SCHEDULERS],
        preview(problem, plan, [0]).values_s.tolist(),
        [p.tolist() for p in previews(problem.instance, allocation, problem.rank_order, moved)],
        delayed(seed),
        [drawn_plan(problem, plan, sharing) for sharing in SHARINGS],
    ]


def drawn_plan(problem: Problem, plan: Plan, sharing: str) -> list[float]:
    """What a plan takes in a few draws."""
    asked = replace(problem, sharing=sharing)
    return drawn_makespans(asked, plan, draws_of(asked, 3)).tolist()


@pytest.mark.usefixtures("plain")
def test_compiled_kernels_give_what_the_plain_ones_give() -> None:
    expected = [outcome(seed) for seed in range(12)]
    kernels.load()
    assert kernels.loaded()
    assert [outcome(seed) for seed in range(12)] == expected


@pytest.mark.usefixtures("plain")
def test_loading_replaces_every_kernel_and_unloading_brings_it_back() -> None:
    modules = [importlib.import_module(name) for name in kernels.MODULES]
    before = [compiling.functions(module) for module in modules]
    kernels.load()
    assert all(
        hasattr(getattr(m, n), "py_func") for m, f in zip(modules, before, strict=True) for n in f
    )
    kernels.load()
    kernels.unload()
    assert not kernels.loaded()
    assert [compiling.functions(module) for module in modules] == before


@pytest.mark.usefixtures("plain")
def test_no_call_compiles_for_another_type_of_argument() -> None:
    kernels.load()
    problem = random_problem(3, most_tasks=20)
    predict(problem, random_plan(problem, 3))
    bounds_of(problem.instance)
    delayed(3)
    for sharing in SHARINGS:
        drawn_plan(problem, random_plan(problem, 3), sharing)
    for scheduler in SCHEDULERS:
        scheduler(problem)
    modules = [importlib.import_module(name) for name in kernels.MODULES]
    counts = {
        name: len(function.signatures)
        for module in modules
        for name, function in compiling.functions(module).items()
    }
    assert {name: count for name, count in counts.items() if count > 1} == {}


def test_every_kernel_that_a_module_singles_out_exists() -> None:
    for name in kernels.MODULES:
        module = importlib.import_module(name)
        listed = {*getattr(module, "INLINED", ()), *getattr(module, "BORROWING", ())}
        assert listed <= set(compiling.functions(module))


def test_the_engine_is_imported_without_numba() -> None:
    program = (
        "import sys, advisor.allocation.predict, advisor.search.list_scheduling;"
        "sys.exit('numba' in sys.modules)"
    )
    folder = Path(__file__).parents[3]
    assert subprocess.run([sys.executable, "-c", program], cwd=folder, check=False).returncode == 0


@pytest.mark.usefixtures("plain")
def test_the_command_compiles_and_says_so_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    command.main()
    assert kernels.ready()
    assert capsys.readouterr().out.count("\n") == 1


def test_the_cache_moves_to_the_user_where_the_sources_are_read_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    beside = cache.folder()
    assert beside is not None
    assert beside.parent.name == "kernels"
    monkeypatch.setattr("os.access", lambda path, mode: Path(path) != beside)
    assert cache.folder() == tmp_path / "placewise"
    monkeypatch.setattr("os.access", lambda path, mode: False)
    assert cache.folder() is None


@pytest.mark.usefixtures("plain")
def test_kernels_compile_without_a_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lone_kernel.py").write_text(
        "def double(x):\n    return 2 * x\n\ndef warm_up():\n    double(1.0)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "lone_kernel", raising=False)
    monkeypatch.setattr(cache, "folder", lambda: None)
    monkeypatch.setattr(kernels, "MODULES", ("lone_kernel",))
    kernels.load()
    assert importlib.import_module("lone_kernel").double.signatures
    assert not list(tmp_path.glob("**/*.nbi"))


def test_compiled_code_is_kept_by_all_the_sources_it_came_from() -> None:
    modules = [importlib.import_module(name) for name in kernels.MODULES]
    names = [cache.digest(module, modules) for module in modules]
    assert len(set(names)) == len(names)
    refine = importlib.import_module("advisor.kernels.refine_kernel")
    called = {one.__name__.rpartition(".")[2] for one in cache.callees(refine, modules)}
    assert called == {"costs_kernel", "solution", "refine_kernel"}
    assert cache.digest(refine, modules) != cache.digest(refine, [refine])
    wormhole = importlib.import_module("advisor.kernels.wormhole_kernel")
    assert cache.digest(wormhole, modules) == cache.digest(wormhole, [wormhole])


def test_a_module_comes_after_those_that_it_calls() -> None:
    modules = [importlib.import_module(name) for name in kernels.MODULES]
    for position, module in enumerate(modules):
        assert set(cache.callees(module, modules)) <= set(modules[: position + 1])


def test_an_instance_has_one_layout_whatever_it_is_made_of() -> None:
    instance: Instance = random_problem(1).instance
    arrays = [value for value in instance if isinstance(value, np.ndarray)]
    assert all(a.flags.c_contiguous and a.flags.writeable for a in arrays)
    order = rank_order(instance)
    assert makespan(instance, np.zeros(order.size, np.int32), order) == schedule.makespan(
        instance, np.zeros(order.size, np.int32), order
    )


def test_a_walk_along_equal_times_ends() -> None:
    """Where rounding swallows what tasks take, each may seem to wait for the other."""
    tasks = (Task("A", work=0.0), Task("B", work=0.0))
    workload = Workload("w", tasks, (Flow("A", "B"),))
    instance = Problem.of(Platform("p", (Machine("M"),)), workload).instance
    both = np.zeros(2, np.int32)
    late = np.full(2, 1e300)
    place, by_end = np.array([1, 0], np.int32), np.array([0, 1], np.int32)
    walked, edges = paths_kernel.chain(instance, both, place, by_end, late, late)
    assert walked.size == edges.size <= 2
