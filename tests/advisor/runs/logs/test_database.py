"""SQLite files: read where they lie, whatever they hold."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from advisor.runs.logs.database import database
from machines import InputError


def made(tmp_path: Path, *statements: str) -> Path:
    place = tmp_path / "a %41?#.db"
    with sqlite3.connect(place) as connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()
    return place


def test_rows_have_the_columns_asked_for_and_nothing_where_there_is_none(tmp_path: Path) -> None:
    place = made(tmp_path, "CREATE TABLE t (b, a)", "INSERT INTO t VALUES (2, 'x'), (3, NULL)")
    with database(place) as found:
        assert found.rows("t", ("a", "b", "c"), 2) == [(1, "x", 2, None), (2, None, 3, None)]


def test_views_are_no_tables_and_are_not_run(tmp_path: Path) -> None:
    endless = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT x FROM r"
    place = made(tmp_path, f"CREATE VIEW jobs AS {endless}")
    with database(place) as found, pytest.raises(InputError, match="lacks a table"):
        found.rows("jobs", ("x",))


def test_a_missing_column_that_is_needed_is_named(tmp_path: Path) -> None:
    place = made(tmp_path, "CREATE TABLE t (a)")
    with database(place) as found, pytest.raises(InputError, match=r"lacks a column.*'z'"):
        found.rows("t", ("a", "z"), 2)


def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.db").write_bytes(b"SQLite format 3\0" + b"\xff" * 4000)
    with pytest.raises(InputError, match="can't be read"), database(tmp_path / "x.db"):
        pass
    with pytest.raises(InputError, match="can't be"), database(tmp_path / "none.db"):
        pass


def test_more_rows_than_its_bytes_can_hold_are_refused(tmp_path: Path) -> None:
    # as of a file whose pages lead back to themselves
    statements = ["CREATE TABLE t (a)", *["INSERT INTO t VALUES (1)"] * 9]
    place = made(tmp_path, *statements)
    with database(place) as found:
        found.path = tmp_path / "shorter"
        found.path.write_bytes(b" " * 32)
        with pytest.raises(InputError, match=r"too many rows.*this size: 8"):
            found.rows("t", ("a",))
