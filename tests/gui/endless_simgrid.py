"""A stand-in for a Python with SimGrid whose simulation never ends, and what became of it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from advisor.export.simgrid.simgrid_python import VARIABLE


class EndlessSimGrid:
    """Says that it has SimGrid; asked to simulate it tells that half is done, and stays."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        if os.name == "nt":
            pytest.skip("the stand-in is a shell script")
        python, self._number = folder / "python", folder / "process"
        python.write_text(
            "#!/bin/sh\n"
            'if [ "$1" = "-c" ]; then echo 4.0; exit 0; fi\n'
            "echo progress 1 2 >&2\n"
            f'echo $$ > "{self._number}"\n'
            "exec sleep 600\n"
        )
        python.chmod(python.stat().st_mode | stat.S_IXUSR)
        monkeypatch.setenv(VARIABLE, str(python))

    def process(self, qtbot: QtBot) -> int:
        """Its process, once it simulates."""
        qtbot.waitUntil(lambda: self._number.is_file() and self._number.read_text().strip() != "")
        return int(self._number.read_text())


def ended(process: int) -> bool:
    """Whether there is no such process any more."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return False
