"""Engines, runs of plans, calibration, campaigns and clusters plug in: the core does without."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path


def test_the_core_advises_exports_and_opens_its_window_without_its_plug_ins() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tests.core_alone"],
        cwd=Path(__file__).parent.parent, capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.endswith("the core stands alone\n")
    assert "unknown format (got 'slurm')" in done.stderr
    assert "run: this installation leaves it out" in done.stderr
