"""The published example as files, and asking the command line about it."""

from __future__ import annotations

import json
import os

import pytest

from advisor.commands import cli

PLATFORM = """
format = "placewise-platform"
version = 1
name = "two machines"
[[machine]]
name = "M1"
contender = [{ name = "a", compute = 1.0 }, { name = "b", compute = 1.0 }]
[[machine]]
name = "M2"
[[link]]
between = ["M1", "M2"]
startup_s = 0.002
bandwidth = 1e6
"""
WORKLOAD = """
format = "placewise-workload"
version = 1
name = "A then B"
[[task]]
name = "A"
seconds = { M1 = 12.0, M2 = 18.0 }
[[task]]
name = "B"
seconds = { M1 = 4.0, M2 = 30.0 }
[[flow]]
from = "A"
to = "B"
seconds = { "M1>M2" = 7.0, "M2>M1" = 8.0 }
"""
ADVISE = ("advise", "w.toml", "--platform", "p.toml")

Capture = pytest.CaptureFixture[str]


def fill_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on nothing that is written gets onto the disk."""

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)


def answer(capsys: Capture, *arguments: str) -> tuple[int, str, str]:
    status = cli.main(arguments)
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def answer_json(capsys: Capture, *arguments: str) -> dict[str, object]:
    status, out, err = answer(capsys, *arguments, "--json")
    assert (status, err) == (0, "")
    found = json.loads(out)
    assert isinstance(found, dict)
    return found
