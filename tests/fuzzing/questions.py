"""The command line as a reader: files of any kind that it is asked about, and lines of arguments.

A mutated file is opened, predicted, exported or reported as a user would ask for it.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from advisor.allocation.plan import Plan
from advisor.allocation.task import Flow, Task, Variant
from advisor.allocation.workload import Workload
from advisor.commands import cli
from advisor.project.project import Project
from advisor.project.project_file import dump_project
from advisor.project.workload_file import dump_json
from machines import CoreGroup, Direction, Link, Machine, Platform, Resource
from machines.errors import InputError
from machines.formats.platform_toml import dump_platform

_STATUSES = {0, 2, 3}
_ABOUT_PROJECTS = (
    "compare FILE --seconds 0.01 --strategies heft,min-min",
    "export FILE --to all --output made",
    "export FILE --to slurm --output made.sh",
    "export FILE --to snakemake --output made.smk",
    "predict FILE --allocation plan.json --json",
)
_ADVICE = (
    "advise FILE --seconds 0.01 --json",
    "advise FILE --seconds 0.01 --objective total",
    "report FILE --output made.html --seconds 0.01",
)
_ABOUT_ANYTHING = ("open FILE --json", "open FILE", "open FILE hosts --out made.placewise")
_ABOUT_TREES = tuple(
    f"export FILE --to {name} --output made{more}"
    for name in ("mrnet", "stat", "flux", "prrte")
    for more in ("", " --hosts hosts", " --hosts hosts --internal-hosts hosts --first-index even")
)
_ABOUT_MAPPINGS = tuple(
    f"export FILE --to {name} --output made --hosts hosts --cores 4"
    for name in ("openmpi-rankfile", "mpich-hostfile", "slurm-hostlist", "mapping-csv")
)
LINES = tuple(
    line.replace(" ", "\n").encode()
    for line in (
        "predict project --allocation plan.json --json",
        "compare project --seconds 0.01 --strategies heft --objective total --model published",
        "compare project --seconds 0.01 --strategies heft,min-min --pareto money",
        "compare project --seconds 0.01 --against heft --sharing none --runtime dask",
        "study blocks --set network=alewife --set n=64 --json",
        "study mapping --set network=paragon --set dims=8x4 --set pattern=ring",
        "study scaling --set source=LogP --set processors=64",
        "open project hosts --answer machines=2 --json",
        "export project --to make --output made.mk",
        "learn project --plan plan.json hosts",
        "catalogue paragon",
    )
)


@cache
def held() -> Project:
    """A project with resources of a machine and of all, core groups, variants and memory."""
    unequal = (CoreGroup("P", 1), CoreGroup("E", 2, 0.5))
    platform = Platform(
        "lab",
        (
            Machine("M1", 3, memory_bytes=10, core_groups=unequal,
                    resources=(Resource("gpu", 2, "card", 16, 1.5),), price_per_hour=2.0),
            Machine("M2", 2, 1.5, 14, watts=100.0),
        ),
        (Link("M1", "M2", Direction(0.5, 10.0), Direction(0.5, 10.0)),),
        resources=(Resource("licence", 1),),
    )  # fmt: skip
    ways = (
        Variant("cpu", work=6.0, cores=2),
        Variant("gpu", seconds=(("M1", 2.0),), resources=(("gpu", 1),), memory_bytes=4,
                unit_memory=(("gpu", 12),)),
    )  # fmt: skip
    tasks = (
        Task("A", work=4.0, memory_bytes=6, command="echo $PLACEWISE_VARIANT"),
        Task("B", variants=ways, resources=(("licence", 1),), command="true"),
        Task("C", variants=ways, memory_bytes=5, command="echo C"),
    )
    flows = (Flow("A", "B", ((1, 20.0),)), Flow("A", "C", ((2, 5.0),)))
    return Project(platform, Workload("ways", tasks, flows), Plan((0, 1, 0), variants=(0, 0, 1)))


def held_files() -> dict[str, bytes]:
    """That project, its workload and its platform as files."""
    project = held()
    return {
        "project": dump_project(project).encode(),
        "workload": dump_json(project.workload).encode(),
        "platform": dump_platform(project.platform).encode(),
    }


def about_project(path: Path) -> None:
    """One of the questions about a project, by what the file holds."""
    _ask(path, _ABOUT_PROJECTS)


def about_advice(path: Path) -> None:
    """One of those that search."""
    _ask(path, _ADVICE)


def about_anything(path: Path) -> None:
    """Whatever a file is, it opens, or is refused."""
    _ask(path, _ABOUT_ANYTHING)


def about_tree(path: Path) -> None:
    """A tree for those who start its processes."""
    _ask(path, _ABOUT_TREES)


def about_mapping(path: Path) -> None:
    """A mapping for launchers."""
    _ask(path, _ABOUT_MAPPINGS)


def arguments(path: Path) -> None:
    """A line for each argument; what would write elsewhere or wait for a network is left out."""
    lines = path.read_bytes().decode("utf-8", "replace").split("\n")
    words = [_inside(word) for word in lines if word.split("=")[0] not in _LEFT_OUT]
    with _folder(path):
        _asked(words)


_LEFT_OUT = {"--scheduler", "--serve", "--peer", "run", "measure", "campaign", "check", "validate"}


def _inside(word: str) -> str:
    """No path leaves the folder, no address the machine, and no search takes long."""
    known = any(word.encode() in line.split(b"\n") for line in LINES)
    return word if known else word.replace("/", "").replace("..", "").replace("\0", "")[:4000]


def _ask(path: Path, questions: tuple[str, ...]) -> None:
    line = questions[zlib.crc32(path.read_bytes()) % len(questions)]
    with _folder(path):
        _asked([str(path) if word == "FILE" else word for word in line.split()])


def _asked(words: list[str]) -> None:
    """The answer of the command line: done, or refused in one message."""
    told, complaints = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(told), contextlib.redirect_stderr(complaints):
        status = cli.main(words)
    assert status in _STATUSES, status
    said = complaints.getvalue()
    assert "Traceback" not in said, said
    if status:
        raise InputError(said.strip() or "nothing said")


@contextlib.contextmanager
def _folder(path: Path) -> Iterator[None]:
    """A new folder to be in, with a few files that questions name."""
    folder, before = path.parent / "asked", Path.cwd()
    folder.mkdir()
    (folder / "hosts").write_text("n01 slots=4\nn02 slots=4\n")
    (folder / "project").write_bytes(held_files()["project"])
    (folder / "plan.json").write_text('{"A": "M1", "B": "M2", "C": "M1"}')
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
        shutil.rmtree(folder)
