"""The subcommand `validate`: published numbers against what the models give."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import fields

from advisor.commands.text import columns, say, say_json
from advisor.published.validate import Figure, published_figures

_TOLD = tuple(field.name for field in fields(Figure) if field.compare)
_SHOWN = ("model", "figure", "where", "printed", "obtained", "status")


def run_validate(arguments: Namespace) -> int:
    """Compare every published number with the models."""
    figures = published_figures()
    if arguments.json:
        told = [{name: getattr(figure, name) for name in _TOLD} for figure in figures]
        say_json({"figures": told})
        return 0
    kinds = dict.fromkeys(figure.status for figure in figures)
    counts = [f"{sum(one.status == kind for one in figures)} {kind}" for kind in kinds]
    say(f"{len(figures)} published figures: {', '.join(counts)}.", "")
    say(columns(_SHOWN, [_row(figure) for figure in figures]))
    return 0


def _row(one: Figure) -> tuple[str, ...]:
    """Published numbers stay as they are printed: no prefixes."""
    return one.model, one.figure, one.where, one.printed_text, one.obtained_text, one.status
