"""Whole files or nothing, and every failure told with its path and a remedy."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from machines import InputError
from machines.files import decoded, read_bytes, write_text


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
