"""What a file is, is told by its content; noise, bombs and cut files are refused early."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import pytest

from advisor.basics import content
from advisor.basics.content import JSON, TOML, read_content
from machines import InputError


def _file(folder: Path, data: bytes) -> Path:
    path = folder / "input"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    ("data", "syntax"),
    [
        (b'{"a": 1}', JSON),
        (b'\xef\xbb\xbf \n{\n "a": 1}', JSON),
        (b"{}", JSON),
        (b'\n[\n {"a": 1}]', JSON),
        (b"a = 1", TOML),
        (b"[[task]]\nname = 1", TOML),
    ],
)
def test_the_syntax_is_told_by_the_first_character(
    tmp_path: Path, data: bytes, syntax: str
) -> None:
    assert read_content(_file(tmp_path, data)) == (data, syntax)
    assert read_content(_file(tmp_path, gzip.compress(data))) == (data, syntax)


def test_a_character_across_the_first_block_is_no_defect(tmp_path: Path) -> None:
    data = b'{"a": "' + b"x" * (64 * 1024 - 8) + "é".encode() + b'"}'
    assert read_content(_file(tmp_path, data)) == (data, JSON)


def test_megabytes_of_noise_are_refused_without_reading_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(content.LIMIT_BYTES, TOML, 100)
    noise = random.Random(1).randbytes(200_000)
    with pytest.raises(InputError, match=r"input: this is not a text file.*WfFormat"):
        read_content(_file(tmp_path, noise))
    with pytest.raises(InputError, match="not a text file"):
        read_content(_file(tmp_path, b"\0" * 100_000))
    with pytest.raises(InputError, match=r"neither TOML nor a JSON object"):
        read_content(_file(tmp_path, b"{" + b"noise " * 20_000))


def test_too_large_a_file_is_refused_packed_or_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(content.LIMIT_BYTES, JSON, 1 << 20)
    data = b'{"a": "' + b" " * (2 << 20) + b'"}'
    for each in (data, gzip.compress(data)):
        with pytest.raises(InputError, match=r"too large.*1 MiB of JSON, unpacked"):
            read_content(_file(tmp_path, each))


def test_a_cut_or_damaged_gzip_file_is_refused(tmp_path: Path) -> None:
    packed = gzip.compress(random.Random(1).randbytes(3000).hex().encode())
    damaged = packed[:40] + bytes([packed[40] ^ 255]) + packed[41:]
    for each in (packed[:-9], damaged, packed[:2] + b"noise" * 10):
        with pytest.raises(InputError, match=r"not a whole gzip file.*fetch it again"):
            read_content(_file(tmp_path, each))


def test_an_empty_file_and_a_missing_one_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"the file is empty\. What opens: Placewise TOML"):
        read_content(_file(tmp_path, b" \n"))
    with pytest.raises(InputError, match=r"gone: can't be read.*Check the folder"):
        read_content(tmp_path / "gone")
    with pytest.raises(InputError, match="This is a folder"):
        read_content(tmp_path)
