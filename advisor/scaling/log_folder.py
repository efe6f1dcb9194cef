"""A folder of logs of one program, one a run: each with its number of processors and its time.

P is what the log says ("Running on 8 ranks", "mpirun -np 8", "on 4 procs") or what its name says
(run_np16.log); a table of one line a rank has as many as lines. The time is the last line that
tells that of the whole run ("Elapsed time: 12.3 s", "real 0m12.3s", "Loop time of 12.3").
"""

from __future__ import annotations

import re
from pathlib import Path

from advisor.scaling.column_titles import PROCESSORS, TIME, noun_of, time_unit, title_of
from advisor.scaling.measurement_table import SECONDS, Recorded
from machines.errors import InputError
from machines.files import MIB, decoded, read_bytes

_LIMIT_BYTES = 4 * MIB
_MOST_LOGS = 1000
_LONGEST = 300  # letters of a line that is looked at
_ENOUGH = 2
_NUMBER = r"([0-9]{1,12}(?:\.[0-9]{1,12})?(?:[eE][+-]?[0-9]{1,3})?)"
_WORD = r"([a-z]{1,12})"
_OF_RUN = re.compile(
    r"(?:total|elapsed|wall|overall|run|execution|solve|loop)[ _-]?(?:clock)?[ _-]?"
    rf"(?:run)?time(?: of| is|[^0-9:=]{{0,30}}[:=])? {{0,9}}{_NUMBER} {{0,3}}{_WORD}?"
)
_REAL = re.compile(r"real\s{1,9}([0-9]{1,6})m([0-9]{1,2}(?:\.[0-9]{1,9})?)s")
_CLOCK = re.compile(r"elapsed.{0,40}?: ?((?:[0-9]{1,4}:)?[0-9]{1,4}:[0-9]{1,2}(?:\.[0-9]{1,6})?)$")
_BEFORE = re.compile(r"([0-9]{1,7}) {0,2}(?:mpi |openmp |compute )?([a-z]{2,12})\b")
_AFTER = re.compile(r"\b([a-z_ ]{2,24}?) {0,3}[:=] {0,3}([0-9]{1,7})(?![0-9.])")
_LAUNCH = re.compile(r"(?:mpirun|mpiexec|srun|aprun|jsrun)\b.{0,80}? -(?:np|n) {0,2}([0-9]{1,7})\b")
_NAMED = re.compile(r"([0-9]{1,7})|([a-z]{1,12})")


def recorded_in_logs(folder: Path) -> Recorded:
    """P and time of every log of a folder; others are named."""
    logs = sorted(one for one in folder.iterdir() if one.is_file() and one.name[:1] != ".")
    if not logs or len(logs) > _MOST_LOGS:
        raise InputError(
            "no logs" if not logs else "too many files", where=str(folder), value=len(logs),
            remedy="Give a folder with a log of each run",
        )  # fmt: skip
    found, nouns, left = [], [], []
    for log in logs:
        try:
            text = decoded(read_bytes(log, _LIMIT_BYTES), str(log))
        except InputError:
            left.append(log.name)
            continue
        seconds, (P, noun) = time_in(text), processors_in(text, log.stem)
        if seconds is None or P is None:
            left.append(log.name)
        else:
            found.append((P, seconds))
            nouns.append(noun)
    if len({P for P, _ in found}) < _ENOUGH:
        raise InputError(
            "no two logs tell a number of processors and a time", where=str(folder),
            value=", ".join(left[:5]) or None,
            remedy='Logs say, e.g., "Ranks: 8" and "Elapsed time: 12.3 s"; or write a table of P '
            "and time",
        )  # fmt: skip
    processors, seconds_of = zip(*found, strict=True)
    said = [f"Read: P and time of {len(found)} logs"]
    said += [f"Left alone, no P or no time: {', '.join(left[:5])}"] * bool(left)
    noun = nouns[0] if len(set(nouns)) == 1 else "processors"
    return Recorded(TIME, "s", processors, seconds_of, (), noun, folder.name, tuple(said))


def time_in(text: str) -> float | None:
    """Seconds of the whole run, by the last line that tells them; of a table of ranks the most."""
    found = None
    for line in text.splitlines():
        plain = line[:_LONGEST].strip().lower()
        if match := _REAL.search(plain):
            found = 60.0 * float(match[1]) + float(match[2])
        elif match := _CLOCK.search(plain):
            parts = [float(one) for one in match[1].split(":")]
            found = sum(one * 60.0**power for power, one in enumerate(reversed(parts)))
        elif match := _OF_RUN.search(plain):
            found = float(match[1]) * SECONDS.get(time_unit(match[2] or "s"), 1.0)
    return found if found is not None and found > 0.0 else _longest_of_ranks(text)


def processors_in(text: str, name: str) -> tuple[int | None, str]:
    """(P, what they are called) as a log says, else as its name does."""
    for line in text.splitlines():
        plain = line[:_LONGEST].strip().lower()
        if match := _LAUNCH.search(plain):
            return int(match[1]), "processors"
        for match in _BEFORE.finditer(plain):
            if len(match[2]) > 1 and (noun := noun_of(match[2])) and int(match[1]) > 0:
                return int(match[1]), noun
        match = _AFTER.search(plain)
        if match and title_of(match[1]).role == PROCESSORS and int(match[2]) > 0:
            return int(match[2]), noun_of(match[1])
    if ranks := _ranks(text):
        return len(ranks), "ranks"
    words = [(one[1] and int(one[1]), one[2]) for one in _NAMED.finditer(name.lower())]
    numbers = [(place, one) for place, (one, _) in enumerate(words) if one]
    beside = [
        (one, noun_of(words[i][1] or ""))
        for place, one in numbers
        for i in (place - 1, place + 1)
        if 0 <= i < len(words) and words[i][1] and noun_of(words[i][1])
    ]
    if beside:
        return int(beside[0][0]), beside[0][1]
    return (int(numbers[0][1]), "processors") if len(numbers) == 1 else (None, "")


def _ranks(text: str) -> list[list[str]]:
    """Rows of a table of one line a rank, numbered from 0."""
    head, *rows = [line.split(",") for line in text.splitlines() if line.strip()] or [[""]]
    if head[0].strip().lower() != "rank":
        return []
    whole = [row for row in rows if len(row) == len(head)]
    numbered = [row[0].strip() for row in whole] == [str(i) for i in range(len(rows))]
    return [head, *whole][1:] if numbered else []


def _longest_of_ranks(text: str) -> float | None:
    """The most seconds of a rank in the column of the total."""
    rows = _ranks(text)
    try:
        return max(float(row[-1]) for row in rows) if rows else None
    except ValueError:
        return None
