"""Runs of a project's workload from the logs of engines, as far as they can be matched."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from advisor.allocation.problem import Problem
from advisor.basics.stop_rule import ShouldStop
from advisor.project.kinds import RUNS, kind_of_file
from advisor.runs.logs.reading import read_runs
from advisor.runs.matching import matched
from advisor.runs.run_record import Run
from machines.errors import InputError
from machines.files import is_folder


def runs_of(
    problem: Problem, paths: Iterable[str | Path], should_stop: ShouldStop = lambda: False
) -> tuple[tuple[Run, ...], tuple[str, ...]]:
    """The runs in files and folders that are of the problem's workload, and notes for people.

    Raises
    ------
    InputError
        Naming the file: it can't be read, or no run is one of this workload.
    """
    kept: list[Run] = []
    notes: list[str] = []
    refused: list[InputError] = []
    for run in read_runs(paths):
        if should_stop():
            break
        try:
            _ = matched(run, problem)
        except InputError as error:
            refused.append(error)
            notes.append(f"{error}.")
            continue
        kept.append(run)
        notes += [f"{run.name}: {note.rstrip('.')}." for note in run.notes]
    if refused and not kept:
        raise refused[0]
    return tuple(kept), tuple(dict.fromkeys(notes))


def is_log(path: Path) -> bool:
    """Whether a file or folder is a log, and nothing that a project is opened from."""
    if is_folder(path):
        return True
    kind = kind_of_file(path)
    return kind is not None and RUNS in kind.gives
