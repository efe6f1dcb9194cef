"""The tables that a text holds: as a program writes them, as Markdown, several with their titles.

A table is a block of lines; blocks are apart by blank lines, a line without numbers before one is
its title. Rows of a Markdown or ASCII table have bars between their cells.
"""

from __future__ import annotations

from dataclasses import dataclass

from advisor.scaling.column_titles import PROCESSORS, VALUE, title_of
from machines.formats.text_table import TextTable, text_table

_RULE = set("-:+=| \t")


@dataclass(frozen=True)
class NamedTable:
    """A table and what the text calls it; empty: nothing."""

    title: str
    table: TextTable


def tables_of(text: str, where: str) -> tuple[NamedTable, ...]:
    """All tables; a text without structure is one."""
    lines = _uncommented(text.lstrip("\ufeff").splitlines())
    text = "\n".join(lines)
    if any(_barred(line) for line in lines):
        return tuple(_barred_tables(lines, where))
    blocks = _blocks(lines)
    lines, titles = _untitled(lines, blocks)
    titled = [(place, block) for place, block in enumerate(blocks) if _is_table(lines, block)]
    if len(titled) < 2 and len(blocks) == len(titled):
        title = "".join(titles.values()) or _comment(lines)
        return (NamedTable(title, text_table("\n".join(lines), where)),)
    if not titled:
        return (NamedTable("", text_table(text, where)),)
    found = []
    for place, block in titled:
        before = blocks[place - 1] if place else range(0)
        prose = [] if not len(before) or _is_table(lines, before) else [lines[i] for i in before]
        kept = set(block)
        only = "\n".join(line if i in kept else "" for i, line in enumerate(lines))
        title = prose[-1].strip(" #:*") if prose else _comment([lines[i] for i in block])
        title = titles.get(place, title)
        found.append(NamedTable(title, text_table(only, where)))
    return tuple(found)


def _barred(line: str) -> bool:
    return line.count("|") > 1 or line.lstrip().startswith("|")


def _barred_tables(lines: list[str], where: str) -> list[NamedTable]:
    """Runs of lines with bars; each line keeps its number."""
    found: list[NamedTable] = []
    rows: dict[int, str] = {}
    title = ""
    for place, line in enumerate([*lines, ""]):
        ruled = bool(line.strip()) and set(line) <= _RULE
        if _barred(line) or (ruled and rows):
            if not ruled:
                rows[place] = _as_cells(line)
        elif rows and not line.strip():
            only = "\n".join(rows.get(i, "") for i in range(place))
            found.append(NamedTable(title, text_table(only, where)))
            rows, title = {}, ""
        if line.strip() and not _barred(line) and not ruled:
            title = line.strip(" #:*")
    if not found:
        found.append(NamedTable("", text_table("", where)))
    return found


def _as_cells(line: str) -> str:
    """A row with bars as one with semicolons, its cells in quotes where they need them."""
    cells = [cell.strip(" \t*`_") for cell in line.strip().strip("|").split("|")]
    return ";".join('"' + cell.replace('"', '""') + '"' if set(cell) & set(';#"') else cell
                    for cell in cells)  # fmt: skip


def _blocks(lines: list[str]) -> list[range]:
    """Runs of lines that are not blank; comments alone are none."""
    found: list[range] = []
    start = -1
    for place, line in enumerate([*lines, ""]):
        if line.strip(" \t\r,;"):
            start = place if start < 0 else start
        elif start >= 0:
            block, start = range(start, place), -1
            if all(lines[i].lstrip().startswith("#") for i in block):
                continue
            if found and not _begins_anew(lines, block):
                block = range(found.pop().start, block.stop)  # a blank line inside of a table
            found.append(block)
    return found


def _untitled(lines: list[str], blocks: list[range]) -> tuple[list[str], dict[int, str]]:
    """Lines without the titles that stand right above headers, and these by their block."""
    kept, titles = list(lines), {}
    for place, block in enumerate(blocks):
        said = [i for i in block if lines[i].strip() and lines[i].strip()[0] != "#"]
        first = next((k for k, i in enumerate(said) if _numbers(lines[i])), 0)
        for i in said[: max(first - 1, 0)]:
            titles[place], kept[i] = lines[i].strip(" :*"), ""
    return kept, titles


def _begins_anew(lines: list[str], block: range) -> bool:
    """Whether a block begins with a title or a header, not with a row of numbers."""
    first = next(lines[i] for i in block if not lines[i].lstrip().startswith("#"))
    return not _numbers(first)


def _is_table(lines: list[str], block: range) -> bool:
    """Whether it has a row of numbers."""
    return any(_numbers(lines[i]) for i in block)


def _numbers(line: str) -> bool:
    """Whether a line begins with a number, as rows of measurements do."""
    return line.strip(" \t\"'|")[:1].isdigit()


def _uncommented(lines: list[str]) -> list[str]:
    """With a header that is a comment, "#cores,time": one of P and a value, before numbers."""
    first = next((i for i, line in enumerate(lines) if line.strip() and line.strip()[0] != "#"), 0)
    if first == 0 or not _numbers(lines[first]):
        return lines
    header = lines[first - 1].strip().lstrip("# ")
    mark = next((one for one in (";", "\t", ",") if one in header), None)
    roles = {title_of(cell.strip()).role for cell in header.split(mark)}
    if {PROCESSORS, VALUE} <= roles:
        return [*lines[: first - 1], header, *lines[first:]]
    return lines


def _comment(lines: list[str]) -> str:
    """The first comment, which may say what the table is."""
    return next((one.strip(" #\r") for one in lines if one.lstrip().startswith("#")), "")
