"""The core without its plug-ins: answers on the command line, and a window with an answer.

Run as a program; a process that it starts begins with the same imports out of reach.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

from advisor.basics.plug_ins import PLUG_INS

TASKS, MACHINES = "resources/examples/two-machines.toml", "two-machines-loaded"


class OutOfReach(MetaPathFinder):
    """Finds no plug-in, whatever is installed."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Refuse the packages that plug in."""
        if name.startswith(PLUG_INS):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None


sys.meta_path.insert(0, OutOfReach())


def commands() -> None:
    """Each kind of answer on the command line, and what is left out."""
    from advisor.commands.cli import main

    with tempfile.TemporaryDirectory() as folder:
        plan = f"{folder}/plan.json"
        for words in (
            ("advise", TASKS, "--platform", MACHINES, "--out", folder),
            ("predict", TASKS, "--platform", MACHINES, "--allocation", plan),
            ("compare", TASKS, "--platform", MACHINES),
            ("study", "scaling"),
            ("export", plan, "--to", "trace", "--output", f"{folder}/trace.json"),
            ("report", plan, "--output", f"{folder}/report.html"),
        ):
            assert main(words) == 0, words
        assert main(("run", plan, "--with", "bash")) == 2
        assert main(("export", plan, "--to", "slurm", "--output", f"{folder}/plan.sh")) == 2


def window() -> None:
    """The window opens on an example and advises."""
    from PySide6.QtCore import QEventLoop
    from PySide6.QtWidgets import QApplication

    from gui.shell.app import make_window

    application = QApplication([])
    opened = make_window(application, (), MACHINES)
    opened.show()
    ended = QEventLoop()
    opened.advisor.advised.connect(lambda _advice: ended.quit())
    if opened.advisor.advice is None:
        ended.exec()
    assert opened.advisor.advice is not None
    print(opened.advisor.advice.explanation.headline)
    opened.end_jobs()
    opened.document.undo_stack.setClean()
    opened.close()


if __name__ == "__main__":
    os.chdir(Path(__file__).parent.parent)
    commands()
    window()
    assert not [name for name in sys.modules if name.startswith(PLUG_INS)]
    print("the core stands alone")
