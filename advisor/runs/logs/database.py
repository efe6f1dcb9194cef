"""Tables of a SQLite file as engines keep them: read where they lie, never changed, never trusted.

The file is opened as one that nobody writes: no lock, no journal beside it, no code of its own (no
view, no virtual table). What its writer has not yet merged into it is not seen, and said.
"""

from __future__ import annotations

import gzip
import sqlite3
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from urllib.parse import quote

from machines.errors import InputError
from machines.files import MIB, open_input, refusal

MAGIC = b"SQLite format 3\0"
Value = str | int | float | bytes | None
_MOST_ROWS = 1_000_000
_LEAST_BYTES = 4  # of a row in its file: more rows than that come of a file that runs in circles
_MOST_STEPS = 1_000  # of 100,000 instructions each: some seconds
_LONGEST_CELL = 1 << 24
_GZIP, _LARGEST = b"\x1f\x8b", 256 * MIB


class Database:
    """An open file: its tables, and their rows."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection
        names = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0"
        ).fetchall()
        self.tables = frozenset(str(name) for (name,) in names)

    def rows(self, table: str, columns: Sequence[str], needed: int = 0) -> list[tuple[Value, ...]]:
        """The rows of a table as (row id, cells of these columns); None for a column not there.

        `table`: its name, which the product states. `columns`: stated by the product, too.
        `needed`: so many of them, the first, the table must have.
        """
        where = str(self.path)
        if table not in self.tables:
            raise InputError("the database lacks a table", where=where, value=table)
        told = self._connection.execute(f'PRAGMA table_info("{table}")').fetchall()
        there = {str(row[1]) for row in told}
        lacking = [name for name in columns[:needed] if name not in there]
        if lacking:
            raise InputError(f"table {table} lacks a column", where=where, value=lacking[0])
        chosen = ", ".join(f'"{name}"' if name in there else "NULL" for name in columns)
        most = min(_MOST_ROWS, self.path.stat().st_size // _LEAST_BYTES)
        query = f'SELECT rowid, {chosen} FROM "{table}" LIMIT {most + 1}'
        found = self._connection.execute(query).fetchall()
        if len(found) > most:
            raise InputError(
                f"table {table} has too many rows", where=where,
                remedy=f"Allowed in a file of this size: {most:,}",
            )  # fmt: skip
        return found

    @property
    def unmerged(self) -> bool:
        """Whether its writer left rows in a file beside it, which are not seen."""
        try:
            return self.path.with_name(self.path.name + "-wal").stat().st_size > 0
        except OSError:
            return False


@contextmanager
def database(path: Path) -> Iterator[Database]:
    """A SQLite file, or one that is gzipped, open for reading."""
    if not _is_packed(path):
        with _opened(path, str(path)) as found:
            yield found
        return
    with tempfile.NamedTemporaryFile(suffix=".db") as whole:
        _unpack(path, whole)
        with _opened(Path(whole.name), str(path)) as found:
            yield found


def _is_packed(path: Path) -> bool:
    """Whether it is gzipped; what can't be read is not."""
    try:
        with open_input(path) as file:
            return file.read(len(_GZIP)) == _GZIP
    except OSError:
        return False


def _unpack(path: Path, whole: IO[bytes]) -> None:
    """Write the unpacked bytes, not too many."""
    try:
        with open_input(path) as file, gzip.GzipFile(fileobj=file) as unpacked:
            left = _LARGEST
            while block := unpacked.read(min(MIB, left + 1)):
                left -= len(block)
                if left < 0:
                    raise InputError(
                        "the database is too large", where=str(path),
                        remedy=f"Allowed unpacked: {_LARGEST // MIB} MiB",
                    )  # fmt: skip
                whole.write(block)
        whole.flush()
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(
            f"not a whole gzip file ({error})", where=str(path),
            remedy="The file seems to be cut off; fetch it again",
        ) from error  # fmt: skip
    except OSError as error:
        raise refusal("can't be unpacked", path, error) from error


@contextmanager
def _opened(path: Path, where: str) -> Iterator[Database]:
    try:
        uri = f"file:{quote(str(path.absolute()))}?mode=ro&immutable=1"
        connection = sqlite3.connect(uri, uri=True)
    except (sqlite3.Error, ValueError, OSError) as error:
        raise InputError(f"the database can't be opened ({error})", where=where) from None
    try:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST_CELL)
        connection.execute("PRAGMA trusted_schema = OFF")
        steps = iter(range(_MOST_STEPS))
        connection.set_progress_handler(lambda: next(steps, None) is None, 100_000)
        yield Database(path, connection)
    except (sqlite3.Error, sqlite3.Warning, UnicodeDecodeError) as error:
        raise InputError(
            f"the database can't be read ({error})", where=where,
            remedy="Copy it again when its run has ended; it may be cut",
        ) from None  # fmt: skip
    finally:
        connection.close()


def has_tables(path: Path, head: bytes, tables: frozenset[str]) -> bool:
    """Whether a file that begins so is a database with these tables."""
    if not head.startswith(MAGIC):
        return False
    try:
        with database(path) as found:
            return found.tables >= tables
    except InputError:
        return False
