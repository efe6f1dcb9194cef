"""Commands carried out by the shell, many at once, and stopped together.

Of the standard library alone: the scripts that `advisor.engines.dask` writes hold this text, and
Dask's workers, which may lack this product, are sent it as it is.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
import threading
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

FETCHED_VARIABLE = "PLACEWISE_FETCHED"  # a file: "bytes seconds" that the command fetched
GRACE_S = 0.5  # between a polite and a rude end
KEPT_BYTES = 16_384  # of a command's output, its end

# kills the groups that it was told of and not told off again once nobody holds its input any more,
# and removes a folder: a worker that is killed can't clean up after itself
_GUARD = """
running=
while read -r what group; do
    rest=
    for one in $running; do [ "$one" = "$group" ] || rest="$rest $one"; done
    running=$rest
    [ "$what" = + ] && running="$running $group"
done
for one in $running; do kill -KILL "-$one"; done
exec rm -rf -- "$1"
"""
# begins once the guard knows of its group; not at all if this process was killed meanwhile
_BEGIN = 'read -r go && exec /bin/sh -c "$1" </dev/null'


class Commands:
    """The commands of one process; each runs in a process group of its own."""

    def __init__(self) -> None:
        self.stopped = False
        self._groups: set[int] = set()
        self._changed = threading.Condition()
        self._guard: subprocess.Popen[bytes] | None = None
        self._told = Path()  # the folder of what commands say that they fetched; the guard's
        self._begun = 0

    def run_command(
        self, work: str | Callable[[], object], folder: str, environment: dict[str, str]
    ) -> dict[str, object]:
        """Run a command line, or call a function.

        Parameters
        ----------
        work : str or callable
            What ``/bin/sh -c`` runs, or a function that is called without arguments.
        folder : str
            In which the command runs; empty: where this process is.
        environment : dict
            Variables beside those of this process.

        Returns
        -------
        dict
            ``taken``, ``end`` (seconds of this machine's clock), ``fetch_s`` and ``bytes``
            (None: the command does not tell), ``ok``, ``output`` (its end, where it failed).
        """
        taken, began = time.time(), time.perf_counter()
        told: Path | None = None
        if callable(work):
            ok, output = _called(work)
        else:
            ok, output, told = self._shell(work, folder, environment)
        end = taken + time.perf_counter() - began
        fetch_s, size = _fetched(told, end - taken)
        return {"taken": taken, "end": end, "fetch_s": fetch_s, "bytes": size, "ok": ok,
                "output": "" if ok else output}  # fmt: skip

    def stop(self) -> None:
        """End what runs, and start nothing more; returns when nothing is left."""
        with self._changed:
            self.stopped = True
            for group in self._groups:
                _signal(group, signal.SIGTERM)
            if not self._changed.wait_for(lambda: not self._groups, GRACE_S):
                for group in self._groups:
                    _signal(group, signal.SIGKILL)
                self._changed.wait_for(lambda: not self._groups, GRACE_S)
            guard, self._guard = self._guard, None
        if guard is not None:
            guard.communicate()

    def _shell(
        self, command: str, folder: str, environment: dict[str, str]
    ) -> tuple[bool, str, Path | None]:
        try:
            process, told = self._began(command, folder, environment)
        except (OSError, ValueError) as error:  # no such folder, too long, a NUL in it
            return False, f"it can't be started: {error}", None
        if process is None:
            return False, "stopped before it began", None
        end = bytearray()
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(OSError), process.stdin as begin:
            begin.write(b"go\n")
        reader = threading.Thread(target=_keep_end, args=(process.stdout, end), daemon=True)
        reader.start()
        status = process.wait()
        _signal(process.pid, signal.SIGKILL)  # what the command left behind ends with it
        with self._changed:
            self._groups.discard(process.pid)
            self._tell("-", process.pid)
            self._changed.notify_all()
        reader.join(GRACE_S)
        said = bytes(end).decode("utf-8", "replace")
        how = f"ended by signal {-status}" if status < 0 else f"exit status {status}"
        end_of_line = "" if said.endswith("\n") or not said else "\n"
        return status == 0, f"{said}{end_of_line}{how}", told

    def _began(
        self, command: str, folder: str, environment: dict[str, str]
    ) -> tuple[subprocess.Popen[bytes] | None, Path]:
        """The process, waiting for a line before it begins; None: all were stopped."""
        with self._changed:
            if self.stopped:
                return None, self._told
            self._watch()
            self._begun += 1
            told = self._told / str(self._begun)
            process = subprocess.Popen(
                ["/bin/sh", "-c", _BEGIN, "sh", command],
                cwd=folder or None,
                env={**os.environ, **environment, FETCHED_VARIABLE: str(told)},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            self._groups.add(process.pid)
            self._tell("+", process.pid)
            return process, told

    def _watch(self) -> None:
        """Have a guard."""
        if self._guard is not None:
            return
        self._told = Path(tempfile.mkdtemp(prefix="placewise-"))
        self._guard = subprocess.Popen(
            ["/bin/sh", "-c", _GUARD, "sh", str(self._told)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def _tell(self, what: str, group: int) -> None:
        if self._guard is None:  # all were stopped, and it has gone
            return
        assert self._guard.stdin is not None
        with contextlib.suppress(OSError):  # somebody ended it: nothing is lost but the guard
            self._guard.stdin.write(f"{what} {group}\n".encode())
            self._guard.stdin.flush()


def _called(work: Callable[[], object]) -> tuple[bool, str]:
    try:
        work()
    except Exception:  # noqa: BLE001 - whatever the user's function raises is its failure
        return False, traceback.format_exc()[-KEPT_BYTES:]
    return True, ""


def _keep_end(stream: BinaryIO, end: bytearray) -> None:
    with stream:
        while block := os.read(stream.fileno(), KEPT_BYTES):
            end += block
            del end[:-KEPT_BYTES]


def _signal(group: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, number)


def _fetched(told: Path | None, longest_s: float) -> tuple[float | None, float | None]:
    """Seconds and bytes that the command says that it fetched; None: it does not say."""
    if told is None:
        return None, None
    try:
        size, seconds = (float(word) for word in told.read_text(encoding="utf-8").split())
    except (OSError, ValueError):
        return None, None
    if not (0.0 <= seconds < float("inf") and 0.0 <= size < float("inf")):
        return None, None
    return min(seconds, longest_s), size
