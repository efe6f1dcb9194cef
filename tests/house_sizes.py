"""How large the house is: lines of code a room, and files in all.

`tests/test_house.py` holds the figures of `house_sizes.json`: they may fall, not rise.
``python -m tests.house_sizes`` writes those of today; a commit that raises one gives the reason
in a line of its message that begins with "Grows:" (`.ci/check-commits`).
"""

from __future__ import annotations

import ast
import json
from collections import Counter
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIGURES = Path(__file__).with_suffix(".json")
TOPS = ("machines", "advisor", "gui")
FILES = "files"
_BLOCKS = (ast.stmt, ast.excepthandler, ast.match_case)  # what may hold definitions


def sizes() -> dict[str, int]:
    """Room → its lines of code, and how many files there are."""
    found: Counter[str] = Counter()
    for top in TOPS:
        for path in sorted((ROOT / top).rglob("*.py")):
            found[FILES] += 1
            found[".".join(path.relative_to(ROOT).parent.parts)] += code_lines(path)
    return dict(sorted(found.items()))


def code_lines(path: Path) -> int:
    """Lines that are neither blank nor of a comment or a docstring."""
    documented = _docstring_lines(parsed(path))
    lines = path.read_text(encoding="utf-8").splitlines()
    return sum(
        number not in documented and line.strip() != "" and not line.lstrip().startswith("#")
        for number, line in enumerate(lines, 1)
    )


@cache
def parsed(path: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


def stated() -> dict[str, int]:
    """The figures that hold."""
    return {room: int(size) for room, size in json.loads(FIGURES.read_text()).items()}


def _docstring_lines(tree: ast.Module) -> set[int]:
    found: set[int] = set()
    nodes: list[ast.AST] = [tree]
    while nodes:
        node = nodes.pop()
        nodes += [one for one in ast.iter_child_nodes(node) if isinstance(one, _BLOCKS)]
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
                found.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return found


if __name__ == "__main__":
    FIGURES.write_text(json.dumps(sizes(), indent=1) + "\n", encoding="utf-8")
