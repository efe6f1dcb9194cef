"""Pieces that workers compute in tests."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from machines.errors import InputError
from machines.stopping import ask


def squared(number: int) -> int:
    return number * number


def refused(number: int) -> int:
    if number == 3:
        raise InputError(
            "three is not wanted", where="the pieces", value=number, remedy="Ask for 4"
        )
    return number


def busy(told: tuple[int, float]) -> tuple[int, int]:
    """The first number's square and the process that computed it, after so many seconds."""
    number, seconds = told
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        ask()
    return number * number, os.getpid()


def noted(told: tuple[str, float]) -> None:
    """Works until it is stopped; files in a folder say when it began and when it was."""
    folder, seconds = told
    (Path(folder) / f"began {os.getpid()}").touch()
    try:
        busy((0, seconds))
    finally:
        (Path(folder) / f"ended {os.getpid()}").write_text(str(time.time()), encoding="utf-8")


def deadly(number: int) -> int:
    """Number 3 ends its worker."""
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def deadly_once(told: tuple[int, str]) -> int:
    """Number 3 ends its worker the first time."""
    number, mark = told
    if number == 3 and not Path(mark).exists():
        Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number
