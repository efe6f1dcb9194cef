"""The cache is filled once, by one of many, in the background; what is done is not done again."""

from __future__ import annotations

import importlib
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import pytest

from advisor import kernels
from advisor.kernels import cache, compiling

ROOT = Path(__file__).parents[3]
FILL = "import sys; from advisor.kernels.compiling import fill_cache; fill_cache(sys.argv[1:])"

# it tells of its import and of its compilation, which lasts as long as there is a file "stall"
LONE = """
from pathlib import Path
from time import sleep
HERE = Path(__file__).parent
def tell(what):
    with (HERE / "log").open("a") as log:
        log.write(what + "\\n")
tell("{name} imported")
PLAIN = ("tell",)
{imports}
def double(x):
    return {body}
def warm_up():
    tell("{name} compiling")
    double(1.0)
    while (HERE / "stall").exists():
        sleep(0.01)
"""
# every process of the test keeps its code here, not beside the kernels
ELSEWHERE = """
from pathlib import Path
from advisor.kernels import cache
cache.folder = lambda: Path(__file__).parent / "cache"
"""


@dataclass(frozen=True)
class Lone:
    """Small kernel modules in a folder of their own."""

    folder: Path

    def write(self, name: str, calls: str = "", body: str = "2 * x") -> str:
        """A module; `calls` another."""
        imports = f"import {calls}" if calls else ""
        made = LONE.format(
            name=name, imports=imports, body=f"2 * {calls}.double(x)" if calls else body
        )
        (self.folder / f"{name}.py").write_text(made, encoding="utf-8")
        return name

    def log(self) -> list[str]:
        """What the modules said, but for imports."""
        path = self.folder / "log"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        return [line for line in lines if "imported" not in line]

    def start(self, *names: str) -> subprocess.Popen[bytes]:
        """A process that fills the cache."""
        return subprocess.Popen(
            [sys.executable, "-c", FILL, *names],
            env=os.environ | {"PYTHONPATH": f"{self.folder}{os.pathsep}{ROOT}"},
        )


@pytest.fixture
def lone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Lone]:
    """Kernels as before afterwards; none of the small ones stays."""
    (tmp_path / "cache").mkdir()
    (tmp_path / "sitecustomize.py").write_text(ELSEWHERE, encoding="utf-8")
    before = kernels.loaded()
    kernels.unload()
    forget()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}{os.pathsep}{ROOT}")
    monkeypatch.setattr(cache, "folder", lambda: tmp_path / "cache")
    monkeypatch.setattr(kernels, "_compiled", {})
    yield Lone(tmp_path)
    kernels.unload()
    forget()
    monkeypatch.undo()
    if before:
        kernels.load()


def forget() -> None:
    for name in [name for name in sys.modules if name.startswith("lone_")]:
        del sys.modules[name]


def until(holds: Callable[[], bool]) -> None:
    for _ in range(12_000):
        if holds():
            return
        time.sleep(0.01)
    pytest.fail("it never came")


def test_two_processes_that_start_at_once_compile_once(lone: Lone) -> None:
    name = lone.write("lone_kernel")
    processes = [lone.start(name) for _ in range(2)]
    assert [process.wait() for process in processes] == [0, 0]
    assert lone.log() == ["lone_kernel compiling"]


def test_the_second_waits_for_the_first_and_then_has_nothing_to_do(lone: Lone) -> None:
    name = lone.write("lone_kernel")
    (lone.folder / "stall").touch()
    first = lone.start(name)
    until(lambda: bool(lone.log()))
    second = lone.start(name)
    imported = lone.folder / "log"
    until(lambda: imported.read_text().count("imported") == 2)
    assert second.poll() is None
    (lone.folder / "stall").unlink()
    assert [first.wait(), second.wait()] == [0, 0]
    assert lone.log() == ["lone_kernel compiling"]


def test_a_process_that_was_killed_keeps_nobody_waiting(lone: Lone) -> None:
    name = lone.write("lone_kernel")
    (lone.folder / "stall").touch()
    first = lone.start(name)
    until(lambda: bool(lone.log()))
    first.send_signal(signal.SIGKILL if sys.platform != "win32" else signal.SIGTERM)
    first.wait()
    (lone.folder / "stall").unlink()
    assert lone.start(name).wait() == 0
    assert lone.log() == ["lone_kernel compiling"] * 2


def test_modules_share_two_processes_and_callers_wait_for_what_they_call(
    lone: Lone, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = (lone.write("lone_a"), lone.write("lone_b", calls="lone_a"), lone.write("lone_c"))
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    compiling.fill_cache(names)
    log = lone.log()
    assert sorted(log) == [f"{name} compiling" for name in names]
    assert log.index("lone_a compiling") < log.index("lone_b compiling")

    monkeypatch.setattr(kernels, "MODULES", names)
    assert kernels.ready()
    assert kernels.load()
    twin = importlib.import_module("lone_b").double
    assert twin(1.0) == 4.0
    assert sum(twin.stats.cache_hits.values()) == 1
    assert not twin.stats.cache_misses


def test_one_core_compiles_one_module_after_the_other(
    lone: Lone, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = (lone.write("lone_a"), lone.write("lone_b", calls="lone_a"))
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    compiling.fill_cache(names)
    compiling.fill_cache(names)
    assert lone.log() == ["lone_a compiling", "lone_b compiling"]


def test_a_change_makes_new_only_what_calls_it(lone: Lone) -> None:
    for name, calls in (("lone_a", ""), ("lone_b", "lone_a"), ("lone_c", "")):
        lone.write(name, calls)
    modules = [importlib.import_module(name) for name in ("lone_a", "lone_b", "lone_c")]

    def digests() -> list[str]:
        return [cache.digest(module, modules) for module in modules]

    before, state = digests(), cache.state(modules)
    lone.write("lone_a", body="x + x")
    assert [one == other for one, other in zip(before, digests(), strict=True)] == [
        False,
        False,
        True,
    ]
    assert cache.state(modules) != state


def test_a_folder_that_was_copied_with_its_cache_is_compiled_anew(tmp_path: Path) -> None:
    """Code is found by where its source is: a mark that came along would promise what is not."""
    states = []
    for folder in ("here", "there"):
        source = tmp_path / folder / "alone.py"
        source.parent.mkdir()
        source.write_text("def double(x):\n    return 2 * x\n", encoding="utf-8")
        module = ModuleType("alone")
        module.__file__ = str(source)
        states.append((cache.digest(module, [module]), cache.state([module])))
    (digest, here), (same, there) = states
    assert digest == same
    assert here != there


def test_preparing_is_told_waits_and_loads_what_another_process_compiled(
    lone: Lone, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(kernels, "MODULES", (lone.write("lone_kernel"),))
    caplog.set_level(logging.INFO, logger="advisor.kernels")
    kernels._tell.cache_clear()  # it is told once
    assert not kernels.ready()
    assert kernels.prepare()
    assert len(caplog.records) == 1
    assert kernels.prepare()
    assert len(caplog.records) == 1
    assert not kernels.loaded()
    assert kernels.load()
    module: ModuleType = importlib.import_module("lone_kernel")
    assert sum(module.double.stats.cache_hits.values()) == 1


def test_preparing_can_be_stopped_and_leaves_the_plain_kernels(
    lone: Lone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernels, "MODULES", (lone.write("lone_kernel"),))
    (lone.folder / "stall").touch()
    assert not kernels.load(lambda: bool(lone.log()))
    assert not kernels.loaded()
    assert not kernels.prepare(lambda: True)
    assert importlib.import_module("lone_kernel").double(2.0) == 4.0


def test_nothing_is_prepared_where_nothing_can_be_kept(
    lone: Lone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernels, "MODULES", (lone.write("lone_kernel"),))
    monkeypatch.setattr(cache, "folder", lambda: None)
    assert not kernels.prepare()
    assert not kernels.ready()
    compiling.fill_cache(kernels.MODULES)
    assert lone.log() == []


def test_kernels_that_were_loaded_before_come_back_as_they_were(
    lone: Lone, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernels, "MODULES", (lone.write("lone_kernel"),))
    kernels.load()
    module = importlib.import_module("lone_kernel")
    twin = module.double
    kernels.unload()
    assert not hasattr(module.double, "py_func")
    kernels.load()
    assert module.double is twin


def test_a_compilation_that_was_asked_for_ends_with_whoever_asked(lone: Lone) -> None:
    names = [lone.write("lone_kernel"), lone.write("lone_other")]
    (lone.folder / "stall").touch()
    process = subprocess.Popen(
        [sys.executable, "-m", "advisor.kernels", kernels.WITH_PARENT, *names],
        env=os.environ | {"PYTHONPATH": f"{lone.folder}{os.pathsep}{ROOT}"},
        stdin=subprocess.PIPE,
    )
    until(lambda: bool(lone.log()))
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    assert process.stdin is not None
    process.stdin.close()  # as the end of its parent does
    assert process.wait() == 1
    until(lambda: not any(Path(f"/proc/{child}/cmdline").exists() for child in children))
