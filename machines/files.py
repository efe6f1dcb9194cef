"""Reading and writing files so that nothing is lost: size limits in, whole files or nothing out.

A file is written beside its target, flushed to the disk and then renamed over it, so that a full
disk or a crash leaves the old file as it was. Every `OSError` becomes an `InputError` with the
path and what to do.
"""

from __future__ import annotations

import errno
import os
import secrets
from pathlib import Path

from machines.errors import InputError

MIB = 1 << 20
MOST_MEMORY = 1 << 30  # bytes that the values of one file may take

_REMEDIES = {
    errno.ENOENT: "Check the folder and the spelling",
    errno.ENOTDIR: "A part of the path is a file, not a folder",
    errno.EISDIR: "This is a folder; give a file",
    errno.EACCES: "Choose a folder where you may write, or change the permissions",
    errno.EPERM: "Choose a folder where you may write, or change the permissions",
    errno.EROFS: "This disk is read-only; choose another folder",
    errno.ENOSPC: "The disk is full; free some space or choose another disk",
    errno.EDQUOT: "Your quota is used up; free some space or choose another disk",
    errno.ENAMETOOLONG: "Use a shorter name",
}


def read_bytes(path: str | Path, limit: int) -> bytes:
    """The file's bytes.

    Parameters
    ----------
    path : str or Path
        The file.
    limit : int
        Bytes; larger files are refused before they are read.

    Raises
    ------
    InputError
        It can't be read or is too large.
    """
    try:
        with Path(path).open("rb") as file:
            content = file.read(limit + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise refusal("can't be read", path, error) from error
    if len(content) > limit:
        raise InputError(
            "the file is too large", where=str(path), remedy=f"Allowed: {limit // MIB} MiB"
        )
    return content


def fits_memory(needed_bytes: float, where: str, remedy: str) -> None:
    """Refuse a file, before its text becomes values, that would take more than `MOST_MEMORY`.

    Parameters
    ----------
    needed_bytes : float
        Estimated from what the text holds.
    where, remedy : str
        The file, and what to do instead.

    Raises
    ------
    InputError
        With the number.
    """
    if needed_bytes > MOST_MEMORY:
        raise InputError(
            f"what this holds needs some {needed_bytes / MOST_MEMORY:.1f} GiB of memory",
            where=where,
            remedy=f"Allowed: 1 GiB. {remedy}",
        )


def decoded(content: bytes, where: str) -> str:
    """The text of UTF-8 bytes, with or without a byte order mark; InputError if they are none."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"not UTF-8 text (byte {error.start})", where=where, remedy="Save the file as UTF-8"
        ) from None


def write_text(path: str | Path, text: str) -> None:
    """Write `text` as UTF-8, atomically, as `write_bytes` does.

    Raises
    ------
    InputError
        It can't be written or holds no text; the target is untouched.
    """
    try:
        content = text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise refusal("can't be written", path, error) from error
    write_bytes(path, content)


def write_bytes(path: str | Path, content: bytes) -> None:
    """Write `content` atomically: the whole file, or the old one stays as it was.

    Raises
    ------
    InputError
        It can't be written; the target is untouched.
    """
    target = Path(path)
    try:
        target = target.resolve()  # a symbolic link stays one
        if target.exists() and not target.is_file():
            target.write_bytes(content)  # a device or a pipe; a folder is refused
        else:
            _replace(target, content)
    except (OSError, ValueError) as error:
        raise refusal("can't be written", path, error) from error


def refusal(what: str, path: str | Path, error: OSError | ValueError) -> InputError:
    """The `InputError` that tells a user of an operating system's error."""
    if isinstance(error, OSError) and error.errno is not None:
        reason = error.strerror or type(error).__name__
        return InputError(
            f"{what} ({reason.lower()})",
            where=str(path),
            remedy=_REMEDIES.get(error.errno, "Try another place"),
        )
    return InputError(f"{what} ({error})", where=str(path), remedy="Use another name")


def _replace(target: Path, content: bytes) -> None:
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(target))
    part = target.with_name(f".{target.name[:200]}.{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            part.chmod(target.stat().st_mode & 0o7777)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    _flush_folder(target.parent)


def _flush_folder(folder: Path) -> None:
    """Make the rename itself survive a power cut, where the system allows it."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
