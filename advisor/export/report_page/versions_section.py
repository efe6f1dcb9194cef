"""What made the report: versions, and the effort of the search."""

from __future__ import annotations

import platform
from importlib import metadata

from advisor.export.json_answer import PLAN_FORMAT, VERSION
from advisor.export.report_page.page_blocks import Block, Section, Table
from advisor.export.report_page.subject import Reported
from advisor.project import project_file
from advisor.search.titles import title_of


def _blocks(reported: Reported) -> tuple[Block, ...]:
    answer = reported.explanation.recommendation
    rows = [
        ("Placewise", _placewise()),
        ("Python", platform.python_version()),
        ("formats", f"{project_file.FORMAT} {project_file.VERSION}, {PLAN_FORMAT} {VERSION}"),
        (
            "search",
            f"{title_of(answer.strategy)}, budget {reported.given.seconds:g} s, seed 0",
        ),
        ("file", reported.given.file),
    ]
    if reported.given.date:
        rows.append(("date", reported.given.date))
    return (Table("Made with", ("what", "which"), tuple(rows)),)


def _placewise() -> str:
    try:
        return metadata.version("placewise")
    except metadata.PackageNotFoundError:
        return "not installed"


SECTION = Section("versions", "Versions", _blocks)
