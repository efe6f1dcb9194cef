"""A folder of files is there whole or not at all, and never takes the place of another's files."""

from __future__ import annotations

from pathlib import Path

import pytest

from machines import InputError, folders
from machines.folders import expect_new_folder, write_folder

TEXTS = {"a.txt": "né\n", "b.txt": "2\n"}


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_all_files_are_written_and_nothing_else(tmp_path: Path) -> None:
    write_folder(tmp_path / "new" / "below", TEXTS)
    assert names(tmp_path / "new") == ["below"]
    assert names(tmp_path / "new" / "below") == ["a.txt", "b.txt"]
    assert (tmp_path / "new" / "below" / "a.txt").read_text(encoding="utf-8") == "né\n"


def test_an_empty_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    write_folder(tmp_path / "empty", TEXTS)
    assert names(tmp_path / "empty") == ["a.txt", "b.txt"]
    assert names(tmp_path) == ["empty"]


def test_a_folder_with_something_in_it_stays_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    for refuse in (expect_new_folder, lambda path: write_folder(path, TEXTS)):
        with pytest.raises(
            InputError, match=r"this folder is not empty\. Name a new folder"
        ) as told:
            refuse(tmp_path)
        assert str(told.value) == (
            f"{tmp_path}: this folder is not empty. Name a new folder, or an empty one"
        )
    assert names(tmp_path) == ["mine.txt"]


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="not a folder"):
        write_folder(tmp_path / "file", TEXTS)
    with pytest.raises(InputError, match="can't be written"):
        write_folder(tmp_path / "file" / "below", TEXTS)
    assert (tmp_path / "file").read_text() == "mine"


def test_a_file_that_fails_leaves_no_folder_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = folders.write_text

    def full(path: Path, text: str) -> None:
        if path.name == "b.txt":
            raise InputError("can't be written (no space left on device)", remedy="Free some")
        write(path, text)

    monkeypatch.setattr(folders, "write_text", full)
    with pytest.raises(InputError, match="no space left") as told:
        write_folder(tmp_path / "new", TEXTS)
    assert str(told.value).endswith("new: can't be written (no space left on device). Free some")
    assert names(tmp_path) == []


def test_looking_whether_a_folder_can_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    expect_new_folder(tmp_path / "a" / "b")
    assert names(tmp_path) == []
