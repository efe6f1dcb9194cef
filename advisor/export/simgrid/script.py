"""The self-contained script that simulates a plan: `simulation` with platform and plan inside."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import NamedTuple

from advisor.export.simgrid.simgrid_document import Document, Simulated

_SOURCE, _RUNTIME = map(Path(__file__).with_name, ("simgrid_script.py", "simgrid_runtime.py"))
_IMPORT = "from advisor.export.simgrid.simgrid_runtime import Plan, Runtime, Transfer\n\n"
_PLATFORM, _PLAN = "PLATFORM", "PLAN"


class Carried(NamedTuple):
    """What a script holds: the XML of the platform, and the document of the plan."""

    platform: str
    plan: Document


def script(found: Simulated) -> str:
    """The text of the script."""
    _, _, runtime = _RUNTIME.read_text(encoding="utf-8").partition("from typing import Any\n\n")
    head, _, rest = _SOURCE.read_text(encoding="utf-8").partition(_IMPORT)
    constants, _, simulation = rest.partition("\n\nclass Simulation:")
    text = f"{head}{constants}\n\n{runtime}\n\nclass Simulation:{simulation}"
    text = text.replace(f'\n{_PLATFORM} = ""\n', f"\n{_literal(_PLATFORM, found.platform)}")
    return text.replace(f'\n{_PLAN} = ""\n', f"\n{_literal(_PLAN, _json(found.plan))}")


def carried(text: str) -> Carried:
    """What the text of such a script holds."""
    plan = json.loads(_value(_PLAN, text), object_pairs_hook=_object)
    return Carried(_value(_PLATFORM, text), plan)


def _object(pairs: list[tuple[str, object]]) -> Document:
    """Python between the objects, in which other threads run."""
    return dict(pairs)


def _value(name: str, text: str) -> str:
    """The text that `_literal` assigned, line by line: all in one expression holds others up."""
    _, _, after = text.partition(f"\n{name} = (\n")
    lines, _, _ = after.partition("\n)\n")
    return "".join(map(ast.literal_eval, map(str.strip, lines.split("\n"))))


def _json(plan: Document) -> str:
    """JSON text: a key a line, and of its lists an entry a line."""
    parts = []
    for key, value in plan.items():
        if isinstance(value, list) and any(isinstance(one, dict) for one in value):
            entries = ",\n".join(json.dumps(one, ensure_ascii=False) for one in value)
            text = f"[\n{entries}\n]"
        else:
            text = json.dumps(value, ensure_ascii=False)
        parts.append(f"{json.dumps(key, ensure_ascii=False)}: {text}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _literal(name: str, text: str) -> str:
    """An assignment of the text, a line of it a line."""
    lines = "".join(f"    {line!r}\n" for line in text.splitlines(keepends=True))
    return f"{name} = (\n{lines})\n"
