"""The house keeps its order: rooms import those below them only, files are short, Qt is in `gui`.

`FLOORS` is the map of the house, from the ground up. A room may import the rooms on floors below
its own, and itself; rooms of one floor do not know of each other. Imports inside functions count,
those for type checkers alone, too: what two rooms must know of each other belongs on a floor below.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

from advisor.basics.plug_ins import PLUG_INS
from tests.house_sizes import sizes, source, stated

ROOT = Path(__file__).resolve().parent.parent
FLOORS = (
    ("resources.programs",),
    ("resources",),
    ("machines",),
    ("machines.formats",),
    ("machines.catalogue",),
    ("advisor.basics", "advisor.kernels"),
    ("advisor.models",),
    ("advisor.measuring",),
    ("advisor.messages.mapping",),
    ("advisor.messages",),
    ("advisor.messages.simulation",),
    ("advisor.scaling",),
    ("advisor.shared_memory", "advisor.trees"),
    ("advisor.programs.choices", "advisor.overlays"),
    ("advisor.programs",),
    ("advisor.allocation",),
    ("advisor.decisions", "advisor.odds"),
    ("advisor.search",),
    ("advisor.advice",),
    ("advisor.project.wfformat",),
    ("advisor.project.sources",),
    ("advisor.project.sites",),
    ("advisor.runs",),
    ("advisor.runs.logs",),
    ("advisor.project",),
    ("advisor.learning", "advisor.engines"),
    ("advisor.running", "advisor.computing"),
    ("advisor.export.simgrid",),
    ("advisor.export", "advisor.published"),
    ("advisor.studies",),
    ("advisor.studies.*",),
    ("advisor.published.redrawn",),
    ("advisor.export.report_page", "advisor.lessons"),
    ("advisor.campaigns.generators",),
    ("advisor.campaigns",),
    ("advisor.campaigns.findings",),
    ("advisor.commands",),
    ("gui.basics",),
    ("gui.document", "gui.form"),
    ("gui.tables",),
    ("gui.plots",),
    ("gui.board", "gui.inspector", "gui.studies.picture"),
    ("gui.studies.fanout", "gui.studies.mesh", "gui.studies.tree", "gui.studies.wavefront"),
    ("gui.studies.page",),
    ("gui.campaign",),
    ("gui.panels", "gui.model"),
    ("gui.shell",),
    ("gui",),
)
OUTLETS = {  # of plug-ins: their commands, exports and pages; the rest of the core knows none
    *(f"advisor.commands.{name}" for name in ("campaign", "learn", "learn_engine", "run")),
    *("advisor.commands.worker_options", "advisor.export.of_engines"),
    *("gui.basics.remote_client_process", "gui.basics.run_call"),
    *(f"gui.campaign.{name}" for name in ("findings_view", "page", "rows_view")),
    "gui.campaign.rows_table_columns",
    *(f"gui.document.{name}" for name in ("campaigns", "learner", "runner")),
    *(f"gui.shell.{name}" for name in ("campaigning", "run_controller", "run_dialog")),
}
LONG = {  # functions still to be parted
    "theme._style_sheet", "cards.paint_card", "lanes.lay_out",
    "project_sheet.project_sheet", "panels.panels",
}  # fmt: skip
QT = {"PySide6", "pyqtgraph", "shiboken6"}
TOPS = ("resources", "machines", "advisor", "gui")
FILES = [path for top in TOPS for path in sorted((ROOT / top).rglob("*.py"))]


def module_of(path: Path) -> str:
    """`advisor/trees/tree_costs.py` → ``advisor.trees.tree_costs``."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(path: Path) -> str:
    """The folder as a package."""
    return ".".join(path.relative_to(ROOT).parent.parts)


MODULES = {module_of(path): room_of(path) for path in FILES}


@cache
def imported(path: Path) -> frozenset[str]:
    """Every module that a file imports, at any depth of its code."""
    return frozenset(_imported(path))


def _imported(path: Path) -> Iterator[str]:
    for module, names in source(path).imports:
        whole = [f"{module}.{name}" for name in names]
        inside = [name for name in whole if name in MODULES]
        yield from inside
        if not names or len(inside) < len(names):
            yield module


def floor_of(room: str) -> int:
    """Its height; a room that is not on the map is a defect of the map."""
    for height, rooms in enumerate(FLOORS):
        if room in rooms or f"{room.rpartition('.')[0]}.*" in rooms:
            return height
    pytest.fail(f"{room} has no floor: give it one in {Path(__file__).name}")


def circles(edges: Iterable[tuple[str, str]]) -> list[list[str]]:
    """Groups that reach each other."""
    found = nx.strongly_connected_components(nx.DiGraph(edges))
    return [sorted(group) for group in found if len(group) > 1]


def test_only_outlets_know_plug_ins() -> None:
    core = [path for path in FILES if not module_of(path).startswith(PLUG_INS)]
    knows = {
        module_of(path) for path in core if any(n.startswith(PLUG_INS) for n in imported(path))
    }
    assert knows == OUTLETS


def test_there_is_a_house() -> None:
    assert len(FILES) > 50


def test_files_are_short() -> None:
    lines = {path: path.read_text(encoding="utf-8").count("\n") for path in FILES}
    assert [(path.name, count) for path, count in lines.items() if count > 400] == []


def test_no_room_grows_and_no_figure_is_above_what_is_there() -> None:
    # `python -m tests.house_sizes` writes today's; what grows needs a reason in the commit
    assert sizes() == stated()


def test_functions_have_at_most_sixty_lines() -> None:
    assert {name for path in FILES for name in long_functions(path)} == LONG


def long_functions(path: Path) -> Iterator[str]:
    """Functions of more than 60 lines; kernels can't be parted, compiled code pays for calls."""
    for name, lines in source(path).functions:
        if lines > 60 and room_of(path) != "advisor.kernels":
            yield f"{path.stem}.{name}"


def test_files_import_the_floors_below_only() -> None:
    assert [fault for path in FILES for fault in faults(path)] == []


def faults(path: Path) -> Iterator[str]:
    """What a file must not import."""
    room = room_of(path)
    for name in sorted(imported(path)):
        other = MODULES.get(name)
        above = other is not None and other != room and floor_of(other) >= floor_of(room)
        if above or (room.partition(".")[0] != "gui" and name.partition(".")[0] in QT):
            yield f"{module_of(path)} imports {name}"


def test_no_folder_imports_itself_in_a_circle() -> None:
    edges = {
        (room_of(path), MODULES[name])
        for path in FILES
        for name in imported(path)
        if name in MODULES
    }
    assert circles((a, b) for a, b in edges if a != b) == []


def test_no_file_imports_itself_in_a_circle() -> None:
    edges = {
        (module_of(path), name) for path in FILES for name in imported(path) if name in MODULES
    }
    assert circles((a, b) for a, b in edges if a != b) == []


def test_a_circle_would_be_found() -> None:
    assert circles([("a", "b"), ("b", "c"), ("c", "a"), ("c", "d")]) == [["a", "b", "c"]]


@pytest.mark.parametrize("name", ["README.md", "CHANGELOG.md", "LICENSE", "Makefile", ".ci/run"])
def test_what_a_visitor_looks_for_is_there(name: str) -> None:
    assert (ROOT / name).stat().st_size > 0
