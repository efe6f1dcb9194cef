"""Lines of a log become tasks: impossible ones are left out, counted and said, not fatal."""

from __future__ import annotations

from advisor.basics.quantities import count
from advisor.runs.record import OK, Run, TaskRun
from machines.errors import InputError, readable


def real(value: object) -> float | None:
    """A number of a log's JSON; None: it is none, or too large for one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:  # a whole number of hundreds of digits
        return None


class Gathering:
    """The tasks of one run, line by line.

    Parameters
    ----------
    where : str
        The file, and the run if it holds several.
    since_1970 : bool
        Times are seconds since 1970: 0 or less is a clock that was not set, or a missing time.
    """

    def __init__(self, where: str, *, since_1970: bool = False) -> None:
        self.tasks: list[TaskRun] = []
        self._where = where
        self._since_1970 = since_1970
        self._wrong: list[str] = []
        self._open: list[str] = []

    def add(
        self,
        task: str,
        machine: str,
        start_s: float,
        end_s: float,
        *,
        ready_s: float | None = None,
        fetch_start_s: float | None = None,
        bytes_in: float | None = None,
        status: str = OK,
        output: str = "",
        after: tuple[str, ...] = (),
    ) -> None:
        """One try of a task; as of `TaskRun`."""
        if self._since_1970 and start_s <= 0:
            self.add_wrong(task, "its start is not a time since 1970")
            return
        try:
            one = TaskRun(
                task, machine, start_s, end_s, ready_s, fetch_start_s, bytes_in, status, output,
                after,
            )  # fmt: skip
        except InputError as error:
            self._wrong.append(f'"{readable(task)}": {error.what}')
        else:
            self.tasks.append(one)

    def add_open(self, task: str) -> None:
        """A task that began, and of which no end is told."""
        self._open.append(task)

    def add_wrong(self, task: str, why: str) -> None:
        """A line that can't be used."""
        self._wrong.append(f'"{readable(task)}": {why}')

    def run(self, name: str, engine: str, notes: tuple[str, ...] = ()) -> Run:
        """The run, from its own zero.

        Raises
        ------
        InputError
            No line could be used.
        """
        said = []
        if self._wrong:
            many = count(len(self._wrong), "line")
            said.append(f"{many} with impossible times or values left out, the first: "
                        f"{self._wrong[0]}")  # fmt: skip
        if self._open:
            said.append(f"{count(len(self._open), 'task')} without an end left out, as of a run "
                        f"that was killed: {readable(self._open[0])}")  # fmt: skip
        if not self.tasks:
            raise InputError(
                "this log has no finished task", where=self._where, remedy="; ".join(said)
            )
        instant = sum(one.end_s == one.start_s for one in self.tasks if one.status == OK)
        if instant:
            said.append(f"{count(instant, 'task')} took no time, as far as the log can tell")
        try:
            return Run(name, tuple(self.tasks), engine, notes=(*notes, *said)).from_zero()
        except InputError as error:  # times too far apart for numbers
            raise error.at(self._where) from None
