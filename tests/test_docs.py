"""What pages show of the command line is what it prints, in order; only whole lines are left out.

A block ```console has commands after `$ ` and below each some of the lines that it prints. The
commands of a page run one after the other in one folder, beside the resources.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from advisor.commands.cli import main
from advisor.search.incumbent import TimeLimit

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
PAGES = [page for page in sorted(ROOT.glob("docs/*.md"))
         if BLOCK.search(page.read_text(encoding="utf-8"))]  # fmt: skip


def sessions(page: Path) -> list[tuple[str, list[str]]]:
    """Every command of a page and the lines below it."""
    found: list[tuple[str, list[str]]] = []
    for block in BLOCK.findall(page.read_text(encoding="utf-8")):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            elif line.strip():
                found[-1][1].append(line)
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_commands_of_a_page_print_what_it_shows(
    page: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    compiled: None,
) -> None:
    monkeypatch.setattr(TimeLimit, "stopped", lambda _watch: False)  # steps alone end a search
    (tmp_path / "resources").symlink_to(ROOT / "resources")
    monkeypatch.chdir(tmp_path)
    for command, shown in sessions(page):
        program, *arguments = shlex.split(command)
        assert program == "placewise"
        assert main(arguments) == 0, command
        printed = iter(capsys.readouterr().out.splitlines())
        for line in shown:
            assert line in printed, f"{command} does not print, or not in this place: {line}"


def test_some_page_shows_what_commands_print() -> None:
    assert [page.stem for page in PAGES] == ["plans"]
