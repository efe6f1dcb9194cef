"""How large the house is: lines of code a room, and files in all.

`tests/test_house.py` holds the figures of `house_sizes.json`: they may fall, not rise.
``python -m tests.house_sizes`` writes those of today; a commit that raises one gives the reason
in a line of its message that begins with "Grows:" (`.ci/check-commits`).
"""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIGURES = Path(__file__).with_suffix(".json")
TOPS = ("machines", "advisor", "gui")
FILES = "files"
_DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def sizes() -> dict[str, int]:
    """Room → its lines of code, and how many files there are."""
    found: Counter[str] = Counter()
    for top in TOPS:
        for path in sorted((ROOT / top).rglob("*.py")):
            found[FILES] += 1
            found[".".join(path.relative_to(ROOT).parent.parts)] += source(path).code_lines
    return dict(sorted(found.items()))


@dataclass(frozen=True)
class Source:
    """What tests ask of a file of code; trees of all files would be a million objects to keep.

    Attributes
    ----------
    code_lines : int
        Lines that are neither blank nor of a comment or a docstring.
    functions : tuple of (name, lines)
        All of them, at any depth.
    imports : tuple of (module, names)
        Absolute ones at any depth; no names where the module itself is imported.
    literals : tuple of (line, text, by itself)
        Every string.
    """

    code_lines: int
    functions: tuple[tuple[str, int], ...]
    imports: tuple[tuple[str, tuple[str, ...]], ...]
    literals: tuple[tuple[int, str, bool], ...]


@cache
def source(path: Path) -> Source:
    """A file, parsed once."""
    text = path.read_text(encoding="utf-8")
    documented: set[int] = set()
    functions: list[tuple[str, int]] = []
    imports: list[tuple[str, tuple[str, ...]]] = []
    strings: list[ast.Constant] = []
    alone: set[ast.expr] = set()
    for node in _nodes(ast.parse(text)):
        if isinstance(node, ast.Constant):
            strings.append(node)
        elif isinstance(node, ast.Expr):
            alone.add(node.value)
        elif isinstance(node, ast.Import):
            imports += [(alias.name, ()) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            if node.module and not node.level:
                imports.append((node.module, tuple(alias.name for alias in node.names)))
        elif isinstance(node, _DOCUMENTED):
            documented.update(_docstring_lines(node))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                functions.append((node.name, (node.end_lineno or node.lineno) - node.lineno + 1))
    return Source(
        sum(
            number not in documented and line.strip() != "" and not line.lstrip().startswith("#")
            for number, line in enumerate(text.splitlines(), 1)
        ),
        tuple(functions),
        tuple(imports),
        tuple(
            (one.lineno, one.value, one in alone) for one in strings if isinstance(one.value, str)
        ),
    )


def stated() -> dict[str, int]:
    """The figures that hold."""
    return {room: int(size) for room, size in json.loads(FIGURES.read_text()).items()}


def _nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """As `ast.walk`, which asks every node for its fields by their names."""
    nodes = [tree]
    while nodes:
        node = nodes.pop()
        yield node
        for value in vars(node).values():
            if type(value) is list:
                nodes += [one for one in value if isinstance(one, ast.AST)]
            elif isinstance(value, ast.AST):
                nodes.append(value)


def _docstring_lines(node: _DOCUMENTED) -> range:
    first = node.body[0] if node.body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
        return range(first.lineno, (first.end_lineno or first.lineno) + 1)
    return range(0)


if __name__ == "__main__":
    FIGURES.write_text(json.dumps(sizes(), indent=1) + "\n", encoding="utf-8")
