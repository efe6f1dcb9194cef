"""Folders of files that are written whole: all of them, or nothing.

A folder is made beside its place and renamed there once every file in it is written.

Which ending a written file gets: a name never says another format than what is in the file.

The ending that somebody typed chooses the format where it is one of those offered; otherwise the
chosen format's own ending is put behind the name. Where nobody can be asked, a name that belongs
to another format is refused.
"""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from machines.errors import InputError
from machines.files import expect_writable, refusal, write_text


def expect_new_folder(path: str | Path) -> None:
    """Refuse now what `write_folder` would refuse later; nothing is left behind.

    Raises
    ------
    InputError
        It is a file or a folder with something in it, or nothing can be written beside it.
    """
    folder = Path(path)
    try:
        is_there, is_folder = folder.exists(), folder.is_dir()
        is_empty = is_folder and not any(folder.iterdir())
    except (OSError, ValueError) as error:
        raise refusal("can't be written", path, error) from error
    if is_there and not is_empty:
        raise InputError(
            "this folder is not empty" if is_folder else "this is not a folder",
            where=str(path),
            remedy="Name a new folder, or an empty one",
        )
    expect_writable(folder.resolve().parent / f"{folder.name[:100]}.part", new_folders=True)


def write_folder(path: str | Path, texts: Mapping[str, str]) -> None:
    """Write a folder of texts, whole or not at all; folders above it are made.

    Parameters
    ----------
    path : str or Path
        A new folder, or an empty one.
    texts : mapping of str
        By the file's name, as UTF-8.

    Raises
    ------
    InputError
        As `expect_new_folder`, or a file can't be written; there is no new folder then.
    """
    expect_new_folder(path)
    folder = Path(path).resolve()
    part = folder.with_name(f".{folder.name[:200]}.{secrets.token_hex(4)}.part")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        part.mkdir()
        for name, text in texts.items():
            write_text(part / name, text)
        if folder.is_dir():
            folder.rmdir()
        part.rename(folder)
    except (OSError, ValueError) as error:
        raise refusal("can't be written", path, error) from error
    finally:
        shutil.rmtree(part, ignore_errors=True)


def ended(path: Path, endings: Sequence[str], chosen: int) -> tuple[Path, int]:
    """The file to write, and the format that its name asks for.

    Parameters
    ----------
    path : Path
        What was typed.
    endings : sequence of str
        Of the formats on offer, each with its dot; several may share one.
    chosen : int
        The format that was chosen beside the name: it counts where the name does not decide.

    Returns
    -------
    (Path, int)
        The file, with an ending of its format, and the position of that format.
    """
    typed = path.name.lower()
    if typed.endswith(endings[chosen]):
        return path, chosen
    for position, ending in enumerate(endings):
        if typed.endswith(ending):
            return path, position
    return path.with_name(path.name + endings[chosen]), chosen


def refuse_other_ending(path: str | Path, ending: str, others: Sequence[str]) -> None:
    """Refuse a name that says another format than the one that is written.

    Parameters
    ----------
    path : str or Path
        The file to write.
    ending : str
        Of its format, with its dot.
    others : sequence of str
        Endings of the formats beside it; any ending that is none of these may be used.

    Raises
    ------
    InputError
        Naming the file and both endings.
    """
    typed = Path(path).name.lower()
    other = next((other for other in others if typed.endswith(other)), ending)
    if other != ending and not typed.endswith(ending):
        raise InputError(
            f"the name ends in {other}, and what would be written is no such file",
            where=str(path),
            remedy=f"Use a name that ends in {ending}, or the format that is written as {other}",
        )
