"""What a report is made of: a page of sections, each a few blocks of text, figures and tables.

Blocks hold finished words and drawings, so that one page is written as HTML here and as PDF by the
window's side. A section is one `Section`; `advisor.export.report_page.sections` lists them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from advisor.export.report_page.subject import Reported
from advisor.export.report_page.svg_drawing import Drawing

LEAD, PLAIN, MUTED = "lead", "plain", "muted"


@dataclass(frozen=True)
class Text:
    """A paragraph; `role` is "lead" (the answer), "plain" or "muted"."""

    text: str
    role: str = PLAIN


@dataclass(frozen=True)
class Fact:
    """One figure with its name, and what stands below it."""

    name: str
    value: str
    detail: str = ""


@dataclass(frozen=True)
class Facts:
    """Few figures side by side."""

    facts: tuple[Fact, ...]


@dataclass(frozen=True)
class Listing:
    """Sentences below each other, each with where it comes from; empty: nothing to say."""

    items: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, *sentences: str) -> Listing:
        """Sentences without a source."""
        return cls(tuple((sentence, "") for sentence in sentences))


@dataclass(frozen=True)
class Figure:
    """A drawing with what it is called and shows.

    Attributes
    ----------
    title, caption : str
        Above and below it.
    says : str
        What it shows, for those who can't see it.
    legend : tuple of (name, colour)
    """

    title: str
    drawing: Drawing
    caption: str
    says: str
    legend: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Table:
    """Rows of finished cells.

    Attributes
    ----------
    title : str
        Above it.
    columns : tuple of str
        Headings.
    rows : tuple of tuple of str
        As many cells as columns; the first names the row.
    right : str
        One letter a column, "r" for right-aligned; missing letters are left-aligned.
    more : str
        What is left out and where all of it is; empty: nothing is.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: str = ""
    more: str = ""

    def is_right(self, column: int) -> bool:
        """Whether a column holds numbers."""
        return self.right[column : column + 1] == "r"


@dataclass(frozen=True)
class Code:
    """Text to be copied as it is: a command, or the content of a file, which is `folded`."""

    title: str
    text: str
    folded: bool = False


Block = Text | Facts | Listing | Figure | Table | Code


@dataclass(frozen=True)
class Section:
    """One part of every report.

    Attributes
    ----------
    name : str
        Of the link to it; lower-case letters and hyphens.
    title : str
        Its heading.
    blocks : callable
        What is reported → its blocks; none: the section is left out.
    """

    name: str
    title: str
    blocks: Callable[[Reported], tuple[Block, ...]]


@dataclass(frozen=True)
class Chapter:
    """A section's heading and what it has to say of one project."""

    name: str
    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Page:
    """A whole report.

    Attributes
    ----------
    title, subtitle : str
        What it is of, and what stands below that.
    chapters : tuple of Chapter
    """

    title: str
    subtitle: str
    chapters: tuple[Chapter, ...]


MakePdf = Callable[[Page], bytes]
