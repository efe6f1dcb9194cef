"""A report as one HTML file that needs nothing else: well-formed, escaped, no script, no fetch.

Its looks are `resources/report/report.css`: for paper, phones, and light and dark themes.
"""

from __future__ import annotations

import re
from html import escape

import resources
from advisor.export.report_page.page_blocks import (
    PLAIN,
    Block,
    Chapter,
    Code,
    Facts,
    Figure,
    Listing,
    Page,
    Table,
    Text,
)
from advisor.export.report_page.svg_drawing import svg

# XML 1.0, production 2: everything else is no character of a document, not even escaped
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def html(page: Page) -> str:
    """The report as text of an HTML file, which is well-formed XML, too."""
    links = "".join(
        f'<li><a href="#{one.name}">{escape(one.title)}</a></li>' for one in page.chapters
    )
    parts = [
        '<!DOCTYPE html>\n<html lang="en" xmlns="http://www.w3.org/1999/xhtml">\n<head>\n'
        '<meta charset="utf-8"/>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}"/>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
        '<meta name="color-scheme" content="light dark"/>\n'
        '<meta name="generator" content="Placewise"/>\n'
        f"<title>{_text(page.title)} – Placewise</title>\n<style>\n{_style()}</style>\n</head>\n"
        f"<body>\n<header>\n<h1>{_text(page.title)}</h1>\n"
        f'<p class="muted">{_text(page.subtitle)}</p>\n'
        f'<nav aria-label="Sections"><ul>{links}</ul></nav>\n</header>\n<main>\n'
    ]
    parts += [_chapter(one) for one in page.chapters]
    return "".join([*parts, "</main>\n</body>\n</html>\n"])


def _chapter(chapter: Chapter) -> str:
    name = chapter.name
    inside = "".join(_block(block) for block in chapter.blocks)
    return (
        f'<section id="{name}" aria-labelledby="{name}-title">\n'
        f'<h2 id="{name}-title">{_text(chapter.title)}</h2>\n{inside}</section>\n'
    )


def _block(block: Block) -> str:
    if isinstance(block, Text):
        role = "" if block.role == PLAIN else f' class="{block.role}"'
        return f"<p{role}>{_text(block.text)}</p>\n"
    if isinstance(block, Facts):
        return _facts(block)
    if isinstance(block, Listing):
        return _listing(block)
    if isinstance(block, Figure):
        return _figure(block)
    return _table(block) if isinstance(block, Table) else _code(block)


def _facts(block: Facts) -> str:
    cards = "".join(
        f"<div><dt>{_text(one.name)}</dt><dd>{_text(one.value)}"
        f"<small>{_text(one.detail)}</small></dd></div>"
        for one in block.facts
    )
    return f'<dl class="facts">{cards}</dl>\n'


def _listing(block: Listing) -> str:
    if not block.items:
        return ""
    items = "".join(
        f"<li>{_text(text)}{f' <small>{_text(source)}</small>' if source else ''}</li>\n"
        for text, source in block.items
    )
    return f"<ul>\n{items}</ul>\n"


def _figure(block: Figure) -> str:
    """The title above, the drawing with its words for those who can't see it, legend, caption."""
    entries = "".join(
        f'<li><span style="background:{colour}"></span>{_text(name)}</li>'
        for name, colour in block.legend
    )
    legend = f'<ul class="legend">{entries}</ul>\n' if entries else ""
    return (
        f"<figure>\n<h3>{_text(block.title)}</h3>\n{svg(block.drawing, _kept(block.says))}\n"
        f"{legend}<figcaption>{_text(block.caption)}</figcaption>\n</figure>\n"
    )


def _table(block: Table) -> str:
    sides = [' class="r"' if block.is_right(place) else "" for place in range(len(block.columns))]
    heads = "".join(
        f'<th scope="col"{side}>{_text(name)}</th>'
        for name, side in zip(block.columns, sides, strict=True)
    )
    rows = "".join(f"<tr>{_cells(row, sides)}</tr>\n" for row in block.rows)
    more = f'<p class="muted">{_text(block.more)}</p>\n' if block.more else ""
    title = _text(block.title)
    return (
        f'<h3>{title}</h3>\n<div class="wide" role="region" tabindex="0" aria-label="{title}">'
        f"<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table></div>\n{more}"
        if block.rows
        else f"<h3>{title}</h3>\n{more}"
    )


def _cells(row: tuple[str, ...], sides: list[str]) -> str:
    first, *others = row
    return f'<th scope="row"{sides[0]}>{_text(first)}</th>' + "".join(
        f"<td{side}>{_text(cell)}</td>" for cell, side in zip(others, sides[1:], strict=True)
    )


def _code(block: Code) -> str:
    text = f"<pre><code>{_text(block.text)}</code></pre>\n"
    if block.folded:
        return f"<details>\n<summary>{_text(block.title)}</summary>\n{text}</details>\n"
    return f"<h3>{_text(block.title)}</h3>\n{text}"


def _text(text: str) -> str:
    return escape(_kept(text))


def _kept(text: str) -> str:
    """The text with a mark in the place of what no document may hold."""
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)


def _style() -> str:
    return (resources.folder("report") / "report.css").read_text(encoding="utf-8")
