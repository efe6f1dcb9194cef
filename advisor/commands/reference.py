"""The subcommand `validate`: published numbers against what the models give."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import asdict, fields

from advisor.commands.text import columns, say, say_json
from advisor.published.validate import Figure, published_figures


def run_validate(arguments: Namespace) -> int:
    """Set every published number against what the models give."""
    figures = published_figures()
    if arguments.json:
        say_json({"figures": [asdict(figure) for figure in figures]})
        return 0
    kinds = dict.fromkeys(figure.status for figure in figures)
    counts = [f"{sum(one.status == kind for one in figures)} {kind}" for kind in kinds]
    say(f"{len(figures)} published figures: {', '.join(counts)}.", "")
    names = [field.name for field in fields(Figure) if field.name in _SHOWN]
    rows = [tuple(_figure_cell(getattr(figure, name)) for name in names) for figure in figures]
    say(columns(names, rows))
    return 0


_SHOWN = ("model", "figure", "where", "printed", "obtained", "status")


def _figure_cell(value: object) -> str:
    """Published numbers stay as they are printed: no prefixes."""
    if isinstance(value, float):
        return f"{value:.6g}"
    return "" if value is None else str(value)
