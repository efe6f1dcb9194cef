"""Whole files or nothing, and every failure told with its path and a remedy."""

from __future__ import annotations

import errno
import io
import os
from pathlib import Path

import pytest

from machines import InputError
from machines.files import (
    decoded,
    expect_writable,
    is_folder,
    is_there,
    kept_inputs,
    read_bytes,
    write_text,
)


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    target = tmp_path / "a.toml"
    write_text(target, "né\n")
    assert read_bytes(target, 100) == "né\n".encode()
    assert list(tmp_path.iterdir()) == [target]


def test_a_file_above_the_limit_is_refused(tmp_path: Path) -> None:
    (tmp_path / "big").write_bytes(b"x" * 11)
    assert read_bytes(tmp_path / "big", 11) == b"x" * 11
    with pytest.raises(InputError, match="too large"):
        read_bytes(tmp_path / "big", 10)


def test_a_missing_file_is_named_with_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"gone\.toml: can't be read.*Check the folder"):
        read_bytes(tmp_path / "gone.toml", 10)


def test_a_name_with_a_nul_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="can't be read"):
        read_bytes("a\0b", 10)
    with pytest.raises(InputError, match="can't be written"):
        write_text("a\0b", "")


def test_half_a_surrogate_pair_is_no_text(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="can't be written"):
        write_text(tmp_path / "a", "\ud800")
    assert list(tmp_path.iterdir()) == []


def test_bytes_that_are_no_text_are_refused_with_their_place() -> None:
    assert decoded(b"\xef\xbb\xbfa", "f") == "a"
    with pytest.raises(InputError, match=r"f: not UTF-8 text \(byte 1\).*as UTF-8"):
        decoded(b"a\xff", "f")


def test_a_full_disk_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "a.toml"
    target.write_text("old")

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError, match=r"a\.toml.*The disk is full"):
        write_text(target, "new")
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_device_is_reported() -> None:
    with pytest.raises(InputError, match="The disk is full"):
        write_text("/dev/full", "new")


def test_a_read_only_file_is_not_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "a.toml"
    target.write_text("old")
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everything
    with pytest.raises(InputError, match="change the permissions"):
        write_text(target, "new")
    assert target.read_text() == "old"


def test_a_folder_is_no_target(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="This is a folder"):
        write_text(tmp_path, "new")


def test_a_missing_folder_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Check the folder"):
        write_text(tmp_path / "no" / "a.toml", "new")


def test_permissions_and_symbolic_links_survive(tmp_path: Path) -> None:
    target, link = tmp_path / "a.toml", tmp_path / "link.toml"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    write_text(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert target.stat().st_mode & 0o777 == 0o640


def piped(content: bytes) -> str:
    """The name of a pipe that holds these bytes and is closed at its other end."""
    reader, writer = os.pipe()
    os.write(writer, content)
    os.close(writer)
    return f"/dev/fd/{reader}"


needs_dev_fd = pytest.mark.skipif(not Path("/dev/fd").exists(), reason="no /dev/fd here")


@needs_dev_fd
def test_a_pipe_is_read_like_a_file_and_refused_above_the_limit() -> None:
    assert read_bytes(piped(b"abc"), 3) == b"abc"
    with pytest.raises(InputError, match="too large"):
        read_bytes(piped(b"abcd"), 3)


@needs_dev_fd
def test_what_can_be_read_only_once_is_kept_where_several_look_at_it() -> None:
    name = piped(b"abc")
    with kept_inputs(), kept_inputs():
        assert [read_bytes(name, 3) for _ in range(2)] == [b"abc", b"abc"]
    assert read_bytes(name, 3) == b""


def test_standard_input_is_a_dash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"abc")))
    assert is_there("-")
    assert read_bytes("-", 3) == b"abc"
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(InputError, match="-: can't be read"):
        read_bytes("-", 3)


@pytest.mark.parametrize("name", ["gone", "x" * 5000, "a\0b"])
def test_a_name_that_no_file_can_have_is_not_there(name: str) -> None:
    assert not is_there(name)
    assert not is_folder(name)


def test_a_folder_is_told_from_a_file_and_from_standard_input(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "-").mkdir()
    monkeypatch.chdir(tmp_path)
    assert is_folder(tmp_path)
    assert not is_folder("file")
    assert not is_folder("-")


def test_what_can_be_written_is_not_touched_by_asking(tmp_path: Path) -> None:
    target = tmp_path / "a.toml"
    expect_writable(target)
    expect_writable(tmp_path / "new" / "folders" / "a.toml", new_folders=True)
    target.write_text("old")
    expect_writable(target)
    assert list(tmp_path.iterdir()) == [target]
    assert target.read_text() == "old"


@pytest.mark.parametrize(
    ("name", "new_folders", "says"),
    [
        ("folder", False, "This is a folder"),
        ("gone/a", False, "Check the folder"),
        ("file/a", False, "a file, not a folder"),
        ("file/new/a", True, "a file, not a folder"),
        ("x" * 300, False, "shorter name"),
        ("x" * 300 + "/a", True, "shorter name"),
        ("a\0b", False, "another name"),
    ],
)
def test_what_can_not_be_written_is_refused_beforehand(
    tmp_path: Path, name: str, new_folders: bool, says: str
) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match=says):
        expect_writable(tmp_path / name, new_folders=new_folders)


def test_a_file_without_permission_is_refused_beforehand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a").write_text("old")
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write everything
    with pytest.raises(InputError, match="change the permissions"):
        expect_writable(tmp_path / "a")


@needs_dev_fd
def test_a_pipe_is_written_to() -> None:
    reader, writer = os.pipe()
    expect_writable(f"/dev/fd/{writer}")
    write_text(f"/dev/fd/{writer}", "abc")
    assert os.read(reader, 10) == b"abc"
    for end in (reader, writer):
        os.close(end)
