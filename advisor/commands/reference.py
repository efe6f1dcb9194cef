"""The subcommand `validate`: published numbers and figures against what the models give."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict, fields

from advisor.basics.quantities import count
from advisor.commands.text import columns, say, say_json
from advisor.export.report_page.published_page import PAGE, published_files
from advisor.published.redrawn.figures import not_redrawn, redrawn_figures
from advisor.published.redrawn.redrawn import Redrawn
from advisor.published.validate import Figure, published_figures
from machines.folders import expect_new_folder, write_folder

_TOLD = tuple(field.name for field in fields(Figure) if field.compare)
_SHOWN = ("model", "figure", "where", "printed", "obtained", "status")


def run_validate(arguments: Namespace) -> int:
    """Compare every published number with the models, or redraw the papers' figures."""
    if arguments.figures is not None:
        return _redraw(arguments.figures, as_json=arguments.json)
    figures = published_figures()
    if arguments.json:
        say_json({"figures": [_told(figure) for figure in figures]})
        return 0
    say(f"{len(figures)} published numbers: {_counts(figures)}.", "")
    say(columns(_SHOWN, [_row(figure) for figure in figures]))
    return 0


def figure_report(figure: Redrawn) -> dict[str, object]:
    """What `validate --figures --json` prints of one figure."""
    first = figure.curves[0]
    along, across = figure.logarithmic
    return {
        "name": figure.name,
        "model": figure.model,
        "where": figure.where,
        "title": figure.title,
        "equation": figure.equation,
        "note": figure.note,
        "x": {"label": first.x_label, "unit": first.x_unit, "logarithmic": along},
        "y": {"label": first.y_label, "unit": first.y_unit, "logarithmic": across},
        "curves": [{"name": one.name, "kind": one.kind, "x": one.x, "y": one.y}
                   for one in figure.curves],
        "points": [
            {"figure": mark.number.figure, "x": x, "y": y, "curve": mark.curve}
            for mark in figure.marks
            for x, y in [mark.place]
        ],
        "numbers": [_told(number) for number in figure.numbers],
    }  # fmt: skip


def _redraw(folder: str, *, as_json: bool) -> int:
    """List the figures that the models redraw; with a folder, write them there."""
    if folder:
        expect_new_folder(folder)
    figures, left_out = redrawn_figures(), not_redrawn()
    files = dict(published_files(figures, left_out)) if folder else {}
    if folder:
        write_folder(folder, files)
    if as_json:
        say_json({
            "figures": [figure_report(figure) for figure in figures],
            "not_redrawn": [asdict(one) for one in left_out],
            "files": list(files),
        })  # fmt: skip
        return 0
    numbers = list(dict.fromkeys(number for figure in figures for number in figure.numbers))
    say(f"{count(len(figures), 'figure')} redrawn, with {len(numbers)} printed numbers: "
        f"{_counts(numbers)}.", "")  # fmt: skip
    rows = [(one.name, one.model, one.where, one.title) for one in figures]
    say(columns(("name", "model", "where", "title"), rows))
    say("", f"{count(len(left_out), 'figure')} not redrawn:", "")
    for one in left_out:
        say(f"{one.model}, {one.where}: {one.reason}")
    if folder:
        say("", f"{count(len(figures), 'picture')} and {PAGE}, which shows all, are in {folder}.")
    return 0


def _counts(figures: Sequence[Figure]) -> str:
    kinds = dict.fromkeys(figure.status for figure in figures)
    return ", ".join(f"{sum(one.status == kind for one in figures)} {kind}" for kind in kinds)


def _told(figure: Figure) -> dict[str, object]:
    return {name: getattr(figure, name) for name in _TOLD}


def _row(one: Figure) -> tuple[str, ...]:
    """Published numbers stay as they are printed: no prefixes."""
    return one.model, one.figure, one.where, one.printed_text, one.obtained_text, one.status
