"""A question that leaves styles, mappings, blocks and a tree open, as files."""

from __future__ import annotations

from pathlib import Path

from advisor.project.workload_file import dump_json
from machines.formats.platform_toml import dump_platform
from tests.choosing import choosing

OPEN = ("open.json", "--platform", "two.toml")


def write_open(folder: Path, overlay: bool = True) -> None:
    """Write the files that `OPEN` names."""
    project = choosing(overlay)
    (folder / "open.json").write_text(dump_json(project.workload), encoding="utf-8")
    (folder / "two.toml").write_text(dump_platform(project.platform), encoding="utf-8")
