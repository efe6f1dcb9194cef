"""The command in a process that is forked off one that has the engine, which saves a second."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from subprocess import CompletedProcess

from gui.basics import search_session
from gui.shell import launch


def launched(folder: Path, *arguments: str, **environment: str) -> CompletedProcess[str]:
    """What the command comes to and says, with no display but what the environment has."""
    out, err = folder / "stdout", folder / "stderr"
    process = search_session.CONTEXT.Process(
        target=_launch, args=(arguments, environment, out, err)
    )
    process.start()
    process.join()
    said = (one.read_text(encoding="utf-8") for one in (out, err))
    return CompletedProcess(arguments, process.exitcode or 0, *said)


def _launch(arguments: Sequence[str], environment: dict[str, str], out: Path, err: Path) -> None:
    for number, path in ((1, out), (2, err)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), number)
    for name in [one for one in os.environ if "DISPLAY" in one or one == "QT_QPA_PLATFORM"]:
        del os.environ[name]
    os.environ.update(environment)
    sys.exit(launch.main(list(arguments)))
