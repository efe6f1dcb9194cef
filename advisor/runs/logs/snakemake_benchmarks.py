"""Benchmarks of Snakemake: a small table for each job, a row for each time that it was repeated.

Seconds of the command alone, and no times of day. Which job a file is of, its path says, or the
columns of the extended form; JSON lines hold the same.
"""

from __future__ import annotations

import ast
import os
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from advisor.basics import json_text
from advisor.runs.logs.snakemake_jobs import words
from machines.checks import written_number
from machines.errors import InputError, PlacewiseError
from machines.files import MIB, decoded, read_bytes

HEADER = b"s\th:m:s"
_KEY = b'"h:m:s"'  # of JSON lines
_FOLDERS = ("benchmarks", "benchmark")
_DEEPEST = 3
_MOST_FOLDERS = 5_000
_MOST_FILES = 200_000
_LARGEST_BYTES = 4 * MIB
_MOST_MIB = 1e9


class Benchmark(NamedTuple):
    """What a file tells."""

    name: str  # its path in the folder, without suffixes
    words: tuple[str, ...]  # of that, or of rule and wildcards where the file tells them
    seconds: tuple[float, ...]  # each time that the command ran
    peak_bytes: float | None = None  # the most resident memory of all times


class Benchmarks:
    """Benchmarks by what they are called; each is of one job, of those of one name the first."""

    def __init__(self, told: Sequence[Benchmark]) -> None:
        self._named: dict[Hashable, list[Benchmark]] = defaultdict(list)
        self._taken: set[str] = set()
        for one in {one.name: one for one in reversed(told)}.values():
            self._named[one.words].append(one)
            self._named[frozenset(one.words)].append(one)

    @property
    def unused(self) -> bool:
        """Whether there are some, and none is any job's yet."""
        return bool(self._named) and not self._taken

    def taken(self, keys: Iterable[Hashable]) -> Benchmark | None:
        """The benchmark that one of the keys names alone; ``None``: there is none."""
        for key in keys:
            found = self._named.get(key, ()) if key else ()
            if len(found) == 1 and found[0].name not in self._taken:
                self._taken.add(found[0].name)
                return found[0]
        return None


def is_benchmark(head: bytes) -> bool:
    """Whether a file that begins so is one."""
    return head.startswith(HEADER) or (head.startswith(b"{") and _KEY in head[:512])


def folders(place: Path, *, deep: bool) -> list[Path]:
    """The folders of benchmarks in a place, or itself, the nearest first; `deep`: farther, too."""
    if _has_one(place):
        return [place]
    found = [place / one for one in _FOLDERS if (place / one).is_dir()]
    for number, (folder, inner, _) in enumerate(os.walk(place) if deep else ()):
        found += [Path(folder) / one for one in inner if one in _FOLDERS and Path(folder) != place]
        inner[:] = sorted(one for one in inner if one not in _FOLDERS and one[:1] != ".")
        if len(Path(folder).relative_to(place).parts) >= _DEEPEST or number >= _MOST_FOLDERS:
            inner.clear()
    found.sort(key=lambda one: (len(one.parts), one))
    return [one for one in found if any(map(_head_fits, _files(one)))]


def _has_one(place: Path) -> bool:
    try:
        return any(_head_fits(one) for one in place.iterdir() if one.is_file())
    except OSError:
        return False


def read(folder: Path, notes: list[str]) -> list[Benchmark]:
    """The benchmarks of a folder; files of another kind are left out, and bad ones said."""
    found, bad = [], []
    for number, file in enumerate(_files(folder)):
        if number >= _MOST_FILES:
            remedy = f"Allowed: {_MOST_FILES:,}"
            raise InputError("too many benchmarks", where=str(folder), remedy=remedy)
        if not _head_fits(file):
            continue
        try:
            found.append(read_one(file, str(file.relative_to(folder))))
        except PlacewiseError as error:
            bad.append(str(error))
    if bad:
        notes.append(f"{len(bad)} benchmarks can't be read, left out: {bad[0]}")
    return found


def _files(folder: Path) -> Iterator[Path]:
    for place, inner, files in os.walk(folder):
        inner.sort()
        yield from (Path(place) / name for name in sorted(files))


def _head_fits(file: Path) -> bool:
    try:
        with file.open("rb") as opened:
            return is_benchmark(opened.read(512))
    except OSError:
        return False


def read_one(file: Path, name: str) -> Benchmark:
    """One file."""
    where = str(file)
    text = decoded(read_bytes(file, _LARGEST_BYTES), where)
    rows = list(_json_rows(text, where) if text.lstrip().startswith("{") else _rows(text))
    seconds, peaks = [], []
    for number, row in rows:
        peak = written_number(row.get("max_rss", ""))  # "-" and "NA" of commands that ended at once
        if peak is not None and 0.0 < peak < _MOST_MIB:
            peaks.append(peak * MIB)
        value = written_number(row.get("s", ""))
        if value is None or not 0.0 <= value < 1e12:
            raise InputError(
                "the seconds of a benchmark must be a number ≥ 0", where=f"{where}: line {number}",
                value=row.get("s", ""), remedy="Run the job again to write its benchmark",
            )  # fmt: skip
        seconds.append(value)
    if not seconds:
        raise InputError("the benchmark has no rows", where=where)
    plain = name.split("/")
    plain[-1] = plain[-1].partition(".tsv")[0].partition(".txt")[0].partition(".jsonl")[0]
    stem = "/".join(plain)
    return Benchmark(
        stem, _told(rows[-1][1]) or words(stem), tuple(seconds), max(peaks, default=None)
    )


def _rows(text: str) -> Iterator[tuple[int, dict[str, str]]]:
    header: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        cells = line.split("\t")
        if not header:
            header = [cell.strip() for cell in cells]
        elif line.strip():
            yield number, dict(zip(header, cells, strict=False))


def _json_rows(text: str, where: str) -> Iterator[tuple[int, dict[str, str]]]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            found = json_text.parse(line.encode(), f"{where}: line {number}")
            if isinstance(found, dict):
                yield number, {key: str(value) for key, value in found.items()}


def _told(row: dict[str, str]) -> tuple[str, ...]:
    """Rule and wildcards of the extended form, which writes them as Python does."""
    rule = _literal(row.get("rule_name", ""))
    rule = rule[0] if isinstance(rule, tuple | list) and rule else rule
    wildcards = _literal(row.get("wildcards", ""))
    if not isinstance(rule, str) or not rule or not isinstance(wildcards, dict):
        return ()
    return words(" ".join((rule, *map(str, wildcards.values()))))


def _literal(cell: str) -> object:
    try:
        return ast.literal_eval(cell) if cell[:1] in "{(['" and len(cell) < 10_000 else cell
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return cell
