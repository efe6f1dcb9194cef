"""The self-contained script that simulates a plan: `simulation` with platform and plan inside."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import NamedTuple

from advisor.export.simgrid.document import Document, Simulated

_SOURCE = Path(__file__).with_name("simulation.py")
_PLATFORM, _PLAN = "PLATFORM", "PLAN"


class Carried(NamedTuple):
    """What a script holds: the XML of the platform, and the document of the plan."""

    platform: str
    plan: Document


def script(found: Simulated) -> str:
    """The text of the script."""
    text = _SOURCE.read_text(encoding="utf-8")
    text = text.replace(f'\n{_PLATFORM} = ""\n', f"\n{_literal(_PLATFORM, found.platform)}")
    return text.replace(f'\n{_PLAN} = ""\n', f"\n{_literal(_PLAN, _json(found.plan))}")


def carried(text: str) -> Carried:
    """What the text of such a script holds."""
    values = {
        statement.targets[0].id: ast.literal_eval(statement.value)
        for statement in ast.parse(text).body
        if isinstance(statement, ast.Assign)
        and isinstance(statement.targets[0], ast.Name)
        and statement.targets[0].id in {_PLATFORM, _PLAN}
    }
    return Carried(values[_PLATFORM], json.loads(values[_PLAN]))


def _json(plan: Document) -> str:
    """JSON text: a key a line, and of its lists an entry a line."""
    parts = []
    for key, value in plan.items():
        text = json.dumps(value, ensure_ascii=False)
        if isinstance(value, list) and any(isinstance(one, dict) for one in value):
            entries = ",\n".join(json.dumps(one, ensure_ascii=False) for one in value)
            text = f"[\n{entries}\n]"
        parts.append(f"{json.dumps(key, ensure_ascii=False)}: {text}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _literal(name: str, text: str) -> str:
    """An assignment of the text, a line of it a line."""
    lines = "".join(f"    {line!r}\n" for line in text.splitlines(keepends=True))
    return f"{name} = (\n{lines})\n"
