"""How a plan is carried out, and what is heard of it meanwhile: frozen values."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from advisor.basics.scheduler_address import typed_address
from advisor.engines.running_here import DASK, ENGINES
from advisor.runs.run_record import TaskRun
from machines.errors import InputError
from machines.files import is_folder

_SHELL = Path("/bin/sh")


@dataclass(frozen=True)
class RunSettings:
    """How a plan is carried out.

    `scheduler`: address of a running Dask scheduler, ``tcp://host:8786``; empty: a cluster of this
        process, which listens on the loopback interface alone.
    `record`: the run record (CSV), written as tasks end; a run is added to those that it holds.
    `own`: the engine chooses order and machines by itself, among all that a task may run on.
    `replan`: waiting tasks move when others take longer or shorter than predicted, and when a
        worker is lost.
    `folder`: in which commands run; None: where this process is, and on a running cluster where
        each worker is.
    """

    engine: str = DASK  # {"dask", "bash"}
    scheduler: str = ""
    record: Path | None = None
    folder: Path | None = None
    own: bool = False
    replan: bool = False

    def __post_init__(self) -> None:
        if self.engine not in ENGINES:
            raise InputError(
                "unknown engine", value=self.engine, remedy=f"Use {' or '.join(ENGINES)}"
            )
        if self.scheduler and self.engine != DASK:
            raise InputError(
                f"{self.engine} has no scheduler", value=self.scheduler, remedy="Use dask"
            )
        if self.scheduler:
            typed_address(self.scheduler)
        if not self.scheduler and not _SHELL.exists():
            raise InputError(
                "commands need a shell, which this machine lacks", where=str(_SHELL),
                remedy="Use a running cluster of machines that have one: --scheduler ADDRESS",
            )  # fmt: skip
        if self.folder is not None and not self.scheduler and not is_folder(self.folder):
            raise InputError(
                "no such folder", where=str(self.folder), remedy="Make it, or name another"
            )
        if self.record is not None and is_folder(self.record):
            raise InputError(
                "the record is a folder", where=str(self.record), remedy="Name a file in it"
            )
        if self.record is not None and not is_folder(self.record.parent):
            raise InputError(
                "the record's folder does not exist", where=str(self.record),
                remedy="Make it, or name another",
            )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Started:
    """A task took its slot, so many seconds after the run's start."""

    task: str
    machine: str
    at_s: float


@dataclass(frozen=True, slots=True)
class Ended:
    """A task ended, well or not; times from the run's start."""

    run: TaskRun


@dataclass(frozen=True, slots=True)
class Note:
    """Something to know, in a sentence."""

    text: str


@dataclass(frozen=True, slots=True)
class Lost:
    """A machine is gone, so many seconds after the run's start; `again`: tasks that ran there."""

    text: str  # a sentence
    at_s: float
    machine: str
    again: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Move:
    """A waiting task goes to another machine."""

    task: str
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class Planned:
    """Where and when a task is expected to run, s from the run's start."""

    task: str
    machine: str
    start_s: float
    end_s: float


@dataclass(frozen=True, slots=True)
class Replanned:
    """The rest was planned anew, so many seconds after the run's start.

    `text`: a sentence. `rest`: the tasks that run, then all that wait in the order of their starts,
    but for those that no machine can run that is left. `end_s`: when all ends; inf: some never can.
    """

    text: str
    at_s: float
    moves: tuple[Move, ...]
    rest: tuple[Planned, ...]
    end_s: float


Event = Started | Ended | Note | Lost | Replanned
OnEvent = Callable[[Event], None]
ShouldStop = Callable[[], bool]
