"""What Snakemake leaves behind, written small: metadata, benchmarks, the logger's database."""

from __future__ import annotations

import json
import sqlite3
from base64 import urlsafe_b64encode
from pathlib import Path

BEGAN = 1_800_000_000.0
_TABLES = (
    "CREATE TABLE workflows (id TEXT, started_at TEXT, status TEXT, dryrun INT)",
    "CREATE TABLE rules (id INT, name TEXT, workflow_id TEXT)",
    "CREATE TABLE jobs (id INT, workflow_id TEXT, rule_id INT, wildcards TEXT, resources TEXT,"
    " shellcmd TEXT, status TEXT, started_at TEXT, end_time TEXT)",
    "CREATE TABLE files (id INT, path TEXT, file_type TEXT, job_id INT)",
    "CREATE TABLE errors (rule_id INT, workflow_id TEXT, exception TEXT)",
)


def metadata(
    folder: Path,
    output: str,
    rule: str,
    start_s: float,
    end_s: float,
    /,
    *,
    longest: int = 255,
    **more: object,
) -> Path:
    """The file of an output; times from `BEGAN`."""
    name = urlsafe_b64encode(output.encode()).decode()
    parts = [name[at : at + longest] for at in range(0, len(name), longest)]
    place = folder.joinpath("metadata", *("@" + part for part in parts[:-1]), parts[-1])
    place.parent.mkdir(parents=True, exist_ok=True)
    told = {
        "rule": rule, "input": [], "log": [], "shellcmd": f"make {output}", "params": [],
        "record_format_version": 6, "starttime": BEGAN + start_s, "endtime": BEGAN + end_s,
        "incomplete": False,
    }  # fmt: skip
    place.write_text(json.dumps(told | more))
    return place


def benchmark(folder: Path, name: str, *seconds: object) -> Path:
    """A file of benchmarks, a row for each time."""
    place = folder / "benchmarks" / name
    place.parent.mkdir(parents=True, exist_ok=True)
    rows = "".join(f"{one}\t0:00:00\tNA\n" for one in seconds)
    place.write_text("s\th:m:s\tmax_rss\n" + rows)
    return place


def text_of(seconds: float) -> str:
    """A time from `BEGAN` as the database has it: 2027-01-15 08:00:00 UTC and later."""
    return f"2027-01-15 08:{int(seconds) // 60:02d}:{seconds % 60:09.6f}"


class Snkmt:
    """A database of the logger plugin, filled row by row."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connection = sqlite3.connect(path)
        for table in _TABLES:
            self._connection.execute(table)
        self._jobs = 0

    def workflow(self, ident: str, began_s: float, status: str = "SUCCESS", dry: int = 0) -> None:
        """A run."""
        row = (ident, text_of(began_s), status, dry)
        self._connection.execute("INSERT INTO workflows VALUES (?, ?, ?, ?)", row)

    def job(
        self,
        ident: str,
        rule: str,
        start_s: float,
        end_s: float | None,
        status: str = "SUCCESS",
        *,
        output: str = "",
        command: str | None = "make",
        wildcards: str = "{}",
        **resources: float,
    ) -> None:
        """A job of a run."""
        self._jobs += 1
        end = None if end_s is None else text_of(end_s)
        self._connection.execute("INSERT INTO rules VALUES (?, ?, ?)", (self._jobs, rule, ident))
        self._connection.execute(
            "INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (self._jobs, ident, self._jobs, wildcards, json.dumps(resources), command, status,
             text_of(start_s), end),
        )  # fmt: skip
        rows = [(f"/work/{output}", "OUTPUT")] * bool(output) + [("/work/b", "BENCHMARK")]
        for path, kind in rows:
            self._connection.execute(
                "INSERT INTO files VALUES (1, ?, ?, ?)", (path, kind, self._jobs)
            )
        if status == "ERROR":
            said = (self._jobs, ident, f"{rule} broke")
            self._connection.execute("INSERT INTO errors VALUES (?, ?, ?)", said)

    def written(self) -> Path:
        """Its file, closed."""
        self._connection.commit()
        self._connection.close()
        return self.path
