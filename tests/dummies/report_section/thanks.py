"""A made-up section of reports: `SECTION` is its line in `advisor.export.report_page.sections`."""

from __future__ import annotations

from advisor.export.report_page.page_blocks import Block, Section, Text
from advisor.export.report_page.subject import Reported


def _blocks(reported: Reported) -> tuple[Block, ...]:
    return (Text(f"Thanks for asking about {reported.project.name}."),)


SECTION = Section("thanks", "Thanks", _blocks)
