"""The subcommand `report`: a project's answer for people, as one HTML or PDF file."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from advisor import kernels
from advisor.commands.inputs import load_kernels, read_reported
from advisor.commands.interrupts import INTERRUPTED, interruptible
from advisor.commands.text import say
from advisor.export.report_page.html import html
from advisor.export.report_page.sections import page_of
from advisor.export.report_page.subject import Given, reported
from machines import InputError
from machines.checks import plain_name
from machines.errors import readable
from machines.files import STANDARD_INPUT, expect_writable, write_bytes

HTML, PDF = (".html", ".htm"), ".pdf"


def run_report(arguments: Namespace) -> int:
    """Search for a better plan, and write what there is to say of the project."""
    output = Path(arguments.output)
    ending = output.suffix.lower()
    if ending not in {*HTML, PDF}:
        raise InputError("a report ends in .html or .pdf", where="--output", value=arguments.output)
    if ending == PDF and arguments.make_pdf is None:
        raise InputError(
            "a PDF needs Qt, which this program does not load",
            where="--output",
            value=arguments.output,
            remedy="Use the command `placewise`, or write .html and print that in a browser",
        )
    date = plain_name("date", arguments.date, where="--date", empty=True)
    expect_writable(output)
    project, warnings = read_reported(arguments.plan, arguments.workload, arguments.platform)
    load_kernels(project)
    if kernels.ready():  # the clock ends fewer searches then, and the report stays the same
        kernels.load()
    name = "plan.json" if arguments.plan == STANDARD_INPUT else Path(arguments.plan).name
    given = Given(readable(name), date, arguments.seconds, warnings=warnings)
    with interruptible() as stopped:
        found = reported(project, given, should_stop=stopped)
        status = INTERRUPTED if stopped() else 0
    page = page_of(found)
    content = arguments.make_pdf(page) if ending == PDF else html(page).encode()
    write_bytes(output, content)
    say(found.explanation.headline, f"The report is in {output}.")
    return status
