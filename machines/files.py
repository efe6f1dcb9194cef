"""Reading and writing files so that nothing is lost: size limits in, whole files or nothing out.

A file is written beside its target, flushed to the disk and then renamed over it, so that a full
disk or a crash leaves the old file as it was. What can be read only once, standard input (``-``) or
a pipe, is read like a file. Every `OSError` becomes an `InputError` with the path and what to do.
"""

from __future__ import annotations

import errno
import hashlib
import io
import os
import secrets
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import BinaryIO

from machines.errors import InputError

MIB = 1 << 20
MOST_MEMORY = 1 << 30  # bytes that the values of one file may take
STANDARD_INPUT = "-"
GONE = "gone"

_MOST_ONCE = 256 * MIB  # of what can be read only once: as much as the largest limit of a reader
_kept: ContextVar[dict[str, bytes] | None] = ContextVar("kept", default=None)

_REMEDIES = {
    errno.ENOENT: "Check the folder and the spelling",
    errno.ENOTDIR: "A part of the path is a file, not a folder",
    errno.EISDIR: "This is a folder; give a file",
    errno.EACCES: "Choose a folder where you may write, or change the permissions",
    errno.EPERM: "Choose a folder where you may write, or change the permissions",
    errno.EROFS: "This disk is read-only; choose another folder",
    errno.ENOSPC: "The disk is full; free some space or choose another disk",
    errno.EDQUOT: "Your quota is used up; free some space or choose another disk",
    errno.EFBIG: "Files may not grow so large here; choose another disk, or raise the limit",
    errno.ENAMETOOLONG: "Use a shorter name",
}


@contextmanager
def kept_inputs() -> Iterator[None]:
    """Inside, what can be read only once is kept, so that several readers may look at it.

    Also as a decorator, of what looks at a file before it knows who reads it.
    """
    token = _kept.set({}) if _kept.get() is None else None
    try:
        yield
    finally:
        if token is not None:
            _kept.reset(token)


def open_input(path: str | Path) -> BinaryIO:
    """A file, standard input (``-``) or a pipe, to be read from its beginning.

    Raises
    ------
    OSError, ValueError
        It can't be opened: see `refusal`.
    """
    name = str(path)
    kept = _kept.get()
    if kept is not None and name in kept:
        return io.BytesIO(kept[name])
    if name == STANDARD_INPUT:
        if sys.stdin is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        content = sys.stdin.buffer.read(_MOST_ONCE + 1)
    else:
        file = Path(path).open("rb")  # noqa: SIM115 - for the caller
        if file.seekable():
            return file
        with file:
            content = file.read(_MOST_ONCE + 1)
    if kept is not None:
        kept[name] = content
    return io.BytesIO(content)


def is_there(path: str | Path) -> bool:
    """Whether there is something to read; False for a name that no file can have."""
    if str(path) == STANDARD_INPUT:
        return True
    try:
        return Path(path).exists()
    except (OSError, ValueError):  # a name too long, a NUL
        return False


def is_folder(path: str | Path) -> bool:
    """Whether a path is a folder; False for a name that none can have."""
    return str(path) != STANDARD_INPUT and is_there(path) and Path(path).is_dir()


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
        with open_input(path) as file:
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


def digest(path: str | Path) -> str:
    """What tells a file's content from any other; `GONE` for one that is not there."""
    try:
        with Path(path).open("rb") as file:
            return hashlib.file_digest(file, _hash).hexdigest()
    except (FileNotFoundError, NotADirectoryError):
        return GONE
    except (OSError, ValueError) as error:
        raise refusal("can't be read", path, error) from error


def digest_of(content: bytes) -> str:
    """As `digest`, of a file that holds `content`."""
    found = _hash()
    found.update(content)
    return found.hexdigest()


def _hash() -> hashlib.blake2b:
    return hashlib.blake2b(digest_size=16)


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
    """Write `content` atomically: the whole file, or the old one stays as it was."""
    write_pieces(path, (content,))


def write_pieces(path: str | Path, pieces: Iterable[bytes]) -> None:
    """Write pieces one after the other as they are made, atomically, as `write_bytes` does.

    Raises
    ------
    InputError
        It can't be written; the target is untouched, as with anything that the pieces raise.
    """
    target = Path(path)
    try:
        if target.exists() and not target.is_file():
            with target.open("wb") as file:  # a device or a pipe; a folder is refused
                file.writelines(pieces)
        else:
            _replace(target.resolve(), pieces)  # a symbolic link stays one
    except (OSError, ValueError) as error:
        raise refusal("can't be written", path, error) from error


def expect_writable(path: str | Path, *, new_folders: bool = False) -> None:
    """Refuse now what `write_bytes` could not even begin to write later; nothing is left behind.

    Parameters
    ----------
    path : str or Path
        The file that will be written.
    new_folders : bool
        Folders on the way that are missing will be made.
    """
    target = Path(path)
    try:
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if target.exists():
            _expect_permission(target)
            if not target.is_file():
                return  # a device or a pipe: only writing tells
        folder = target.resolve().parent
        while new_folders and not folder.exists():
            folder = folder.parent
        part = folder / f".{secrets.token_hex(4)}.part"
        part.open("xb").close()
        part.unlink()
    except (OSError, ValueError) as error:
        raise refusal("can't be written", path, error) from error


def keep_others_out(file: BinaryIO, path: Path, who: str, remedy: str) -> None:
    """Refuse a file that another process writes; the lock goes with this process, however it ends.

    Parameters
    ----------
    file : file
        Opened for writing; it is locked until it is closed.
    path : Path
        Where it is.
    who, remedy : str
        Who may write it beside us, and what to do then.

    Raises
    ------
    InputError
        Somebody does.
    """
    try:
        import fcntl  # noqa: PLC0415 - Unix alone
    except ImportError:
        return
    with suppress(OSError):  # a file system without locks
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise InputError(f"{who} writes it", where=str(path), remedy=remedy) from None


def refusal(what: str, path: str | Path, error: OSError | ValueError) -> InputError:
    """The `InputError` that tells a user of an operating system's error; one is told as it is."""
    if isinstance(error, InputError):  # which is a ValueError, too
        return InputError(error.what, where=str(path), value=error.value, remedy=error.remedy)
    if isinstance(error, OSError) and error.errno is not None:
        reason = error.strerror or type(error).__name__
        return InputError(
            f"{what} ({reason.lower()})",
            where=str(path),
            remedy=_REMEDIES.get(error.errno, "Try another place"),
        )
    return InputError(f"{what} ({error})", where=str(path), remedy="Use another name")


def _replace(target: Path, pieces: Iterable[bytes]) -> None:
    if target.exists():
        _expect_permission(target)
    part = target.with_name(f".{target.name[:200]}.{secrets.token_hex(4)}.part")
    try:
        with part.open("xb") as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            part.chmod(target.stat().st_mode & 0o7777)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    _flush_folder(target.parent)


def _expect_permission(target: Path) -> None:
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(target))


def _flush_folder(folder: Path) -> None:
    """Make the rename itself survive a power cut, where the system allows it."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
