"""Mutated files tried in processes of their own, which are replaced when one of them ends."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

_LINE = re.compile(r"([0-9]+) ([^:]+): (.*)")
_BATCH = 5000  # cases of a process
_MOST_WAIT = 60.0  # s of the clock for one case that no signal can stop, on a busy machine


@dataclass
class Outcome:
    """What came of the cases.

    Attributes
    ----------
    count : Counter
        "read" and "refused".
    findings : list of (case, reader, what)
        All others.
    """

    count: Counter[str] = field(default_factory=Counter)
    findings: list[tuple[int, str, str]] = field(default_factory=list)


def run(cases: int, seed: int, first: int = 0) -> Iterator[Outcome]:
    """Try the cases `first` … of a seed; yields what is known so far after every process."""
    found, last = Outcome(), first + cases
    while first < last:
        until = min(first + _BATCH, last)
        command = [sys.executable, "-m", "tests.fuzzing.worker", *map(str, (seed, first, until))]
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=_BATCH * _MOST_WAIT
        )
        lines = done.stdout.splitlines()
        for line in lines:
            match = _LINE.fullmatch(line)
            number, reader, what = match.groups() if match else ("-1", "", line)
            if what in {"read", "refused"}:
                found.count[what] += 1
            else:
                what = what or f"the process ended ({done.returncode})"
                found.findings.append((int(number), reader, what))
        if not lines:
            found.findings.append((first, "", f"no process: {done.stderr[-500:]}"))
            yield found
            return
        first += len(lines)
        yield found
