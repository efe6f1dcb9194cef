"""The house keeps its order: one-way imports, short files, Qt in `gui` alone."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MAY_IMPORT = {
    "machines": {"resources"},
    "advisor": {"machines", "resources"},
    "gui": {"machines", "advisor", "resources"},
    "resources": set(),
}
QT = {"PySide6", "pyqtgraph", "shiboken6"}
FILES = [path for room in MAY_IMPORT for path in sorted((ROOT / room).rglob("*.py"))]


def imported(path: Path) -> set[str]:
    """Top-level names that a file imports, at any depth of its code."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return names


def test_there_is_a_house() -> None:
    assert len(FILES) > 50


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_file_is_short_and_imports_one_way_only(path: Path) -> None:
    room = path.relative_to(ROOT).parts[0]
    assert path.read_text(encoding="utf-8").count("\n") <= 400
    others = imported(path) & set(MAY_IMPORT)
    assert others <= MAY_IMPORT[room] | {room}
    if room != "gui":
        assert not imported(path) & QT


@pytest.mark.parametrize("name", ["README.md", "CHANGELOG.md", "LICENSE", "Makefile", ".ci/run"])
def test_what_a_visitor_looks_for_is_there(name: str) -> None:
    assert (ROOT / name).stat().st_size > 0
