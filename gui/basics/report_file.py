"""Writes a report into a file: what the search process is asked for. No Qt unless it is a PDF."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from advisor.basics.stop_rule import ShouldStop
from advisor.export.report_page.html import html
from advisor.export.report_page.sections import page_of
from advisor.export.report_page.subject import Given, reported
from advisor.project.project import Project
from machines.files import expect_writable, write_bytes

PDF = ".pdf"


def write_report(
    project: Project,
    given: Given,
    path: Path,
    on_progress: Callable[[float], None],
    should_stop: ShouldStop,
) -> Path | None:
    """Write a report of the project; its ending decides whether as PDF.

    Returns the file; None: stopped, and nothing is written.
    """
    expect_writable(path)
    page = page_of(reported(project, given, on_progress, should_stop))
    if should_stop():
        return None
    if path.suffix.lower() == PDF:
        from gui.basics.report_pdf import pdf  # noqa: PLC0415 - Qt, for this alone

        content = pdf(page)
    else:
        content = html(page).encode()
    write_bytes(path, content)
    return path
