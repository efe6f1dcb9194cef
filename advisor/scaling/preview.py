"""What a file of measurements offers to choose from: tables, columns, regions, parameters held."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.scaling.column_choice import chosen_columns, series_of
from advisor.scaling.column_titles import PROCESSORS, VALUE, title_of
from advisor.scaling.data import text_of
from advisor.scaling.extrap_file import experiment, is_extrap
from advisor.scaling.measurement_table import table_titles
from advisor.scaling.written_tables import tables_of
from machines.errors import InputError

_ROWS = 8


@dataclass(frozen=True)
class Preview:
    """The choices of one file, and the first rows of the table that is meant.

    `P`, `values`: places of the columns that would be read; −1 and none: not known. `holds`:
    parameters of a file of Extra-P that can be held fixed. `series`: of rows,
    ``title=value``.
    """

    regions: tuple[str, ...] = ()
    metrics: tuple[str, ...] = ()
    holds: tuple[str, ...] = ()
    titles: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    series: tuple[str, ...] = ()
    P: int = -1
    values: tuple[int, ...] = ()


def preview_of(data: str, region: str = "", quantity: str | None = None) -> Preview:
    """Of a pasted text or of the file of that path; `region` is the part that is looked at."""
    text = data if "\n" in data else text_of(data)
    where = "pasted" if "\n" in data else data
    if is_extrap(text):
        found = experiment(text, where)
        meant = region if region in found.regions else next(iter(found.regions), "")
        metrics = tuple(key[1] for key in found.values if key[0] == meant)
        holds: tuple[str, ...] = ()
        if len(found.names) > 1 and metrics:
            key = (meant, metrics[0])
            holds = tuple(one for name in found.names for one in found.held(key, name))
        return Preview(found.regions, metrics, (*holds, "none") if holds else ())
    tables = tables_of(text, where)
    titles = table_titles(tables) if len(tables) > 1 else []
    table = tables[titles.index(region) if region in titles else 0].table
    if not table.rows:
        return Preview(tuple(titles))
    header = table.rows[0].cells
    shown = tuple(row.cells for row in table.rows[1 : _ROWS + 1])
    named = [title_of(cell).role for cell in header]
    P = named.index(PROCESSORS) if PROCESSORS in named else -1
    values = tuple(i for i, role in enumerate(named) if role == VALUE)[:1]
    rows = [row for row in table.rows[1:] if len(row.cells) == len(header)]
    series = series_of([title_of(one) for one in header], rows, (P, *values)) if P >= 0 else ()
    try:
        chosen = chosen_columns(table, "", quantity)
        P, values = chosen.processors, chosen.values
    except (InputError, IndexError):
        pass  # what the titles tell is a beginning
    return Preview(tuple(titles), (), (), header, shown, series, P, values)
