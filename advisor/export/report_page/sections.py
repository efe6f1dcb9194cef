"""Every section of a report, in its order: a new one is its file and a line here."""

from __future__ import annotations

from advisor.basics.quantities import count
from advisor.export.report_page import (
    answer_section as answer,
)
from advisor.export.report_page import (
    assumptions,
    decisions,
    plans,
    question,
    tables,
    use,
)
from advisor.export.report_page import (
    causes_section as causes,
)
from advisor.export.report_page import (
    flips_section as flips,
)
from advisor.export.report_page import (
    how_to_run as carry_out,
)
from advisor.export.report_page import (
    schedule_section as schedule,
)
from advisor.export.report_page import (
    versions_section as versions,
)
from advisor.export.report_page.page_blocks import Chapter, Page, Section
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
