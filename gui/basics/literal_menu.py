"""Menus whose every entry has a letter: unique in its menu, underlined, chosen by the keyboard.

The letters are given when a menu opens: entries come and go, one action may stand in several
menus, and the texts of some change. Text that is not ours, a file's name say, goes through
`literal` first, because an ampersand would mark the letter behind it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

_MARK = re.compile(r"&(&?)")


class Menu(QMenu):
    """A menu that gives its entries letters and shows their tooltips.

    `title`: as in the menu that it is in; empty: it stands alone. `parent`: owns it. `fill`: makes
    the entries anew, each time before it opens.
    """

    def __init__(
        self, title: str, parent: QWidget, fill: Callable[[Menu], object] | None = None
    ) -> None:
        super().__init__(title, parent)
        self.setToolTipsVisible(True)
        if fill is not None:
            self.aboutToShow.connect(lambda: fill(self))
        self.aboutToShow.connect(lambda: mark(self.actions()))


def mark(actions: Iterable[QAction]) -> None:
    """Give entries of one menu a letter each, as long as there are letters.

    The first letter of a text goes before those of its other words, these before all others;
    an entry that finds none makes another move. What stands behind a tab, at the right edge of
    the menu, gets none.
    """
    entries = [action for action in actions if not action.isSeparator()]
    parts = [plain(action.text()).partition("\t") for action in entries]
    texts = [text for text, _, _ in parts]
    places: dict[str, tuple[int, int]] = {}  # letter: which entry, where in its text
    for wanted in (_first, _beginnings, _everywhere):
        for entry in _without(places, len(texts)):
            for at in wanted(texts[entry]):
                if texts[entry][at].casefold() not in places:
                    places[texts[entry][at].casefold()] = entry, at
                    break
    for entry in _without(places, len(texts)):
        _squeeze_in(entry, texts, places, set())
    marks = dict(places.values())
    for entry, action in enumerate(entries):
        if entry in marks:
            (text, *tail), at = parts[entry], marks[entry]
            action.setText(f"{literal(text[:at])}&{literal(text[at:])}{literal(''.join(tail))}")


def _without(places: dict[str, tuple[int, int]], count: int) -> list[int]:
    """The entries that have no letter yet."""
    done = {entry for entry, _ in places.values()}
    return [entry for entry in range(count) if entry not in done]


def _squeeze_in(
    entry: int, texts: list[str], places: dict[str, tuple[int, int]], tried: set[str]
) -> bool:
    """Give an entry a letter by moving others, where that is possible (augmenting path)."""
    for at in _everywhere(texts[entry]):
        letter = texts[entry][at].casefold()
        if letter not in tried:
            tried.add(letter)
            if letter not in places or _squeeze_in(places[letter][0], texts, places, tried):
                places[letter] = entry, at
                return True
    return False


def plain(text: str) -> str:
    """The text of an entry as it is read, without its mark."""
    return _MARK.sub(r"\1", text)


def literal(text: str) -> str:
    """A text as the text of an entry, in which no letter is marked."""
    return text.replace("&", "&&")


def _first(text: str) -> list[int]:
    return [0] if text[:1].isalnum() else []


def _beginnings(text: str) -> list[int]:
    return [one.start() for one in re.finditer(r"\b\w", text) if text[one.start()].isalnum()]


def _everywhere(text: str) -> list[int]:
    return [at for at, letter in enumerate(text) if letter.isalnum()]
