"""Which ending a written file gets: a name never says another format than what is in the file.

The ending that somebody typed chooses the format where it is one of those offered; otherwise the
chosen format's own ending is put behind the name. Where nobody can be asked, a name that belongs
to another format is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from machines.errors import InputError


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
