"""Real programs that carry plans out: where they are, and why a test is skipped without them.

Looked for on the path, then in ``.engines/bin``, into which `.ci/run` installs those from PyPI;
``PLACEWISE_ENGINES`` names another such folder.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parent.parent
_FOLDER = Path(os.environ.get("PLACEWISE_ENGINES", _ROOT / ".engines" / "bin"))


def program(name: str) -> str:
    """The path of a program; skips the test where there is none."""
    found = shutil.which(name) or shutil.which(name, path=str(_FOLDER))
    if found is None:
        pytest.skip(f"{name} is not installed here")
    return found
