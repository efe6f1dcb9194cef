"""Which columns of a table are P and the values: those asked for, else those that titles name.

Of several kinds the time is taken before the rate, the rate before the speedup; of several columns
of one kind that of the whole run; what remains open is asked for, with the columns there are.
Rows that repeat their P and differ in another column are of several series, one of which is asked
for; without such a column they are repetitions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from advisor.scaling.column_titles import (
    EFFICIENCY,
    IDEAL,
    OTHER,
    PROCESSORS,
    RUN,
    SPEEDUP,
    SPREAD,
    THROUGHPUT,
    TIME,
    VALUE,
    Title,
    title_of,
)
from machines.errors import InputError
from machines.formats.text_table import Row, TextTable

_BEFORE = (TIME, THROUGHPUT, SPEEDUP, EFFICIENCY)
_MOST_SERIES = 20
_ONE_SIZE = 3.0  # factor between repetitions
_LISTED = 12  # titles that a message lists
_RANKS = {"rank", "process", "proc", "id", "thread", "task", "mpi rank"}


@dataclass(frozen=True)
class Chosen:
    """Where P, the values and spreads are, what the values are, and which rows count."""

    processors: int
    values: tuple[int, ...]
    spreads: tuple[int, ...]
    kind: str
    unit: str
    noun: str
    each: bool  # of one processor: the whole is P times as much
    rows: tuple[Row, ...]
    said: tuple[str, ...]  # how the table was read, where it could be read otherwise


def chosen_columns(table: TextTable, asked: str, kind: str | None) -> Chosen:
    """The columns meant.

    `asked`: titles of P and of values, and ``title=value``; empty: by the titles. `kind`: what
    columns without a title of a kind measure.
    """
    titles = [title_of(cell) for cell in table.rows[0].cells]
    at = table.at(table.rows[0])
    wanted = [one.strip() for one in asked.split(";" if ";" in asked else ",") if one.strip()]
    filters = [one.partition("=") for one in wanted if "=" in one]
    names = [place_of(one, titles, at) for one in wanted if "=" not in one]
    P = names[0] if names else _processors(table, titles, at)
    kind = kind or _by_ideal(table, titles, P)
    values = names[1:] or _values(table, titles, P, kind)
    one = _common(titles, values, kind, at)
    rows = tuple(_filtered(table, titles, filters, at))
    _expect_one_series(table, titles, rows, (P, *values), {f[0].strip() for f in filters})
    free = [(i, one) for i, one in enumerate(titles) if i not in (P, *values)]
    spreads = tuple(i for i, one in free if one.role == SPREAD)
    left = [one.text for _, one in free if one.role in {VALUE, IDEAL, OTHER} and one.text]
    noun = titles[P].noun or (_spoken_noun(titles[P].text) if names else "processors")
    said = (_said(titles, P, values, left),) if left else ()
    return Chosen(P, tuple(values), spreads, one.kind, one.unit, noun, one.each, rows, said)


def place_of(name: str, titles: Sequence[Title], at: str) -> int:
    """The column of that title, as written or nearly so, or of that number."""
    plain = name.lower()
    texts = [title.text.lower() for title in titles]
    if plain in texts:
        return texts.index(plain)
    kinds = [i for i, title in enumerate(titles) if plain in {title.kind, title.noun} and plain]
    begun = [i for i, text in enumerate(texts) if text.startswith(plain)] or kinds
    if len(begun) == 1:
        return begun[0]
    if plain.isascii() and plain.isdigit() and 1 <= int(plain[:9]) <= len(titles):
        return int(plain[:9]) - 1
    raise ask("there is no such column", "columns", [one.text for one in titles], at, name)


def ask(what: str, setting: str, known: Sequence[str], where: str, value: str = "") -> InputError:
    """An error that lists what can be chosen."""
    listed = ", ".join(one or "(without a name)" for one in known[:_LISTED])
    more = f" and {len(known) - _LISTED} more" if len(known) > _LISTED else ""
    return InputError(
        what, where=where, value=value or None,
        remedy=f"Choose one as {setting}: {listed}{more}",
    )  # fmt: skip


def _processors(table: TextTable, titles: Sequence[Title], at: str) -> int:
    found = [i for i, title in enumerate(titles) if title.role == PROCESSORS]
    if len(found) == 1:
        return found[0]
    header = ", ".join(title.text for title in titles)
    if not found and titles[0].text.strip().lower() in _RANKS and len(table.rows) > 1:
        raise InputError(
            f"a line for each {titles[0].text.strip().lower()} of one run, {len(table.rows) - 1} "
            "in all: how it scales shows only beside other runs",
            where=at, value=header,
            remedy="Write a table of P and time, one line a run; this run's P is the number of "
            "its lines. Or give the folder with one such file a run",
        )  # fmt: skip
    varied = [i for i in found if len({row.cells[i] for row in table.rows[1:]}) > 1]
    if len(varied) == 1:
        return varied[0]  # nodes of so many cores each
    raise InputError(
        "one column must be P", where=at, value=header,
        remedy="Choose P and what was measured, e.g. columns=nodes,time",
    )  # fmt: skip


def _values(table: TextTable, titles: Sequence[Title], P: int, kind: str | None) -> list[int]:
    """Columns of the values, by their titles; those of one title are repetitions."""
    at = table.at(table.rows[0])
    known = [i for i, title in enumerate(titles) if title.role == VALUE and i != P]
    kinds = {titles[i].kind for i in known}
    first = kind if kind in kinds else next((one for one in _BEFORE if one in kinds), None)
    known = [i for i in known if titles[i].kind == first]
    known = [i for i in known if not titles[i].each] or known
    if not _are_repetitions(table, titles, known):
        plain = [i for i in known if titles[i].whole]
        known = plain if plain and _are_repetitions(table, titles, plain) else known
    if not _are_repetitions(table, titles, known):
        texts = [titles[i].text for i in known]
        one = known[0] + 1 if len(set(texts)) < len(texts) else texts[0]
        raise InputError(
            "several columns may be meant", where=at,
            value=", ".join(f"{i + 1}: {titles[i].text}" for i in known),
            remedy=f"Choose P and one of them: columns={titles[P].text},{one}",
        )  # fmt: skip
    return known or _unknown(titles, P, kind, at)


def _are_repetitions(table: TextTable, titles: Sequence[Title], known: Sequence[int]) -> bool:
    """Whether columns have one title but for its number, and values of one size."""
    if len({titles[i].plain for i in known}) > 1:
        return False
    apart = 0
    for row in table.rows[1:]:
        values = [one for i in known if (one := table.number(row.cells[i])) and one > 0.0]
        apart += bool(values) and max(values) > _ONE_SIZE * min(values)
    return 2 * apart <= len(table.rows) - 1


def _unknown(titles: Sequence[Title], P: int, kind: str | None, at: str) -> list[int]:
    """The one column of which no title says what it is, where `kind` does."""
    unknown = [i for i, title in enumerate(titles) if title.role == OTHER and i != P and title.text]
    if len(unknown) == 1 and kind is not None:
        return unknown
    if not unknown:
        raise InputError(
            "nothing was measured", where=at, value=", ".join(one.text for one in titles),
            remedy="Give a column such as time (s) or throughput (1/s)",
        )  # fmt: skip
    if len(unknown) > 1:
        raise InputError(
            "unknown columns: none says that it is a time or a throughput", where=at,
            value=", ".join(titles[i].text for i in unknown),
            remedy=f"Choose P and one of them, and say what it is: "
            f"columns={titles[P].text},{titles[unknown[0]].text} quantity=throughput",
        )  # fmt: skip
    raise _unsaid(titles[unknown[0]].text, at)


def _by_ideal(table: TextTable, titles: Sequence[Title], P: int) -> str | None:
    """What a column beside an ideal is: a rate where that grows with P, a time where it falls."""
    for i, title in enumerate(titles):
        pairs = [(table.number(row.cells[P]), table.number(row.cells[i])) for row in table.rows[1:]]
        known = sorted((one, two) for one, two in pairs if one is not None and two is not None)
        if title.role == IDEAL and len(known) > 1 and known[0][1] != known[-1][1]:
            return THROUGHPUT if known[-1][1] > known[0][1] else TIME
    return None


def _unsaid(title: str, at: str) -> InputError:
    return InputError(
        "unknown column: it may be a time, a speedup or a throughput", where=at, value=title,
        remedy="Say which: quantity=time",
    )  # fmt: skip


def _common(titles: Sequence[Title], values: Sequence[int], kind: str | None, at: str) -> Title:
    """What all the columns of values are."""
    if not values:
        raise InputError("nothing was measured", where=at, remedy="Choose P and a column of values")
    found = []
    for i in values:
        title = titles[i]
        if title.role != VALUE:
            if kind is None:
                raise _unsaid(title.text, at)
            title = Title(title.text, VALUE, title.words, kind, title.unit)
        found.append(title)
    distinct = {(one.kind, one.unit, one.each): one for one in found}
    if len(distinct) > 1:
        mixed = ", ".join(
            sorted(f"{kind} ({unit})" if unit else kind for kind, unit, _ in distinct)
        )
        raise InputError(
            "the columns mix kinds or units", where=at, value=mixed,
            remedy="Give one kind in one unit; further columns of it are repetitions",
        )  # fmt: skip
    return found[0]


def _filtered(
    table: TextTable, titles: Sequence[Title], filters: Sequence[tuple[str, str, str]], at: str
) -> Iterator[Row]:
    """The rows that every ``title=value`` keeps."""
    wanted = [(place_of(name.strip(), titles, at), value.strip()) for name, _, value in filters]
    kept = [row for row in table.rows[1:] if all(row.cells[i] == value for i, value in wanted)]
    if not kept and table.rows[1:] and wanted:
        i, value = wanted[0]
        known = list(dict.fromkeys(row.cells[i] for row in table.rows[1:]))
        raise ask(f"no row has this {titles[i].text}", "columns", known, at, value)
    yield from kept


def _expect_one_series(
    table: TextTable,
    titles: Sequence[Title],
    rows: Sequence[Row],
    used: Sequence[int],
    filtered: set[str],
) -> None:
    """Refuse rows of several series."""
    known = [one for one in series_of(titles, rows, used) if one.partition("=")[0] not in filtered]
    if known:
        read = f"{titles[used[0]].text},{titles[used[1]].text}"
        raise ask(
            f"the rows are of several {known[0].partition('=')[0]}", "columns",
            [f"{read},{one}" for one in known], table.at(table.rows[0]),
        )  # fmt: skip


def series_of(titles: Sequence[Title], rows: Sequence[Row], used: Sequence[int]) -> tuple[str, ...]:
    """``title=value`` of each series: at every P rows differ in the same few values of a column."""
    at_P: dict[str, list[Row]] = {}
    for row in rows:
        at_P.setdefault(row.cells[used[0]], []).append(row)
    repeated = [group for group in at_P.values() if len(group) > 1]
    if len(repeated) < 2:
        return ()
    for i, title in enumerate(titles):
        if i in used or title.role in {RUN, SPREAD, VALUE, IDEAL}:
            continue
        sets = {frozenset(row.cells[i] for row in group) for group in repeated}
        alike = len(sets) == 1 and 1 < len(next(iter(sets))) <= _MOST_SERIES
        if alike and all(len({row.cells[i] for row in group}) == len(group) for group in repeated):
            return tuple(f"{title.text}={value}" for value in sorted(next(iter(sets))))
    return ()


def _said(titles: Sequence[Title], P: int, values: Sequence[int], left: Sequence[str]) -> str:
    taken = ", ".join(dict.fromkeys(titles[i].text for i in values))
    more = ", ".join(left[:_LISTED]) + ("…" if len(left) > _LISTED else "")
    return f"Read: P is {titles[P].text}, measured is {taken}; left alone: {more}"


def _spoken_noun(text: str) -> str:
    """What a column is called that was chosen as P."""
    return (
        text.strip().lower() if text.isascii() and text.replace(" ", "").isalpha() else "processors"
    )
