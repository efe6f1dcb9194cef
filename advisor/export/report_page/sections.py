"""Every section of a report, in its order: a new one is its file and a line here."""

from __future__ import annotations

from advisor.basics.quantities import count
from advisor.export.report_page import (
    answer,
    assumptions,
    carry_out,
    causes,
    decisions,
    flips,
    plans,
    question,
    schedule,
    tables,
    use,
    versions,
)
from advisor.export.report_page.blocks import Chapter, Page, Section
from advisor.export.report_page.subject import Reported

SECTIONS: tuple[Section, ...] = (
    question.SECTION,
    answer.SECTION,
    decisions.SECTION,
    schedule.SECTION,
    causes.SECTION,
    use.SECTION,
    plans.SECTION,
    flips.SECTION,
    tables.SECTION,
    assumptions.SECTION,
    assumptions.VALIDITY,
    carry_out.SECTION,
    versions.SECTION,
)


def page_of(reported: Reported) -> Page:
    """The report, without the sections that have nothing to say of this project."""
    project = reported.project
    made = [(one, one.blocks(reported)) for one in SECTIONS]
    under = [
        f"{count(len(project.workload.tasks), 'task')} on {project.platform.name or 'its machines'}"
    ]
    if reported.given.date:
        under.append(reported.given.date)
    return Page(
        project.name or "Report",
        " · ".join(under),
        tuple(Chapter(one.name, one.title, blocks) for one, blocks in made if blocks),
    )
