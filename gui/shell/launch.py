"""The command `placewise`: the window, or without a display how to do without.

Commands of `advisor.commands.cli` are passed on before any of Qt is imported, so that they run on
machines that have no display and no graphics libraries.
"""
# ruff: noqa: PLC0415 - imported on the way that needs it

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from advisor.export.report_page.page_blocks import Page

_INSTEAD = (
    "The command line does the same without one, for example:\n"
    "  placewise advise WORKLOAD --platform PLATFORM\n"
    "  placewise --help"
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line or open the window: see `_run`; Ctrl-C at any time is status 130.

    `argv`: arguments without the program's name; ``sys.argv[1:]`` by default. Returns: exit status:
    0 done, 2 unusable input or no display, 130 stopped by Ctrl-C.
    """
    try:
        return _run(list(sys.argv[1:] if argv is None else argv))
    except KeyboardInterrupt:  # while importing, say
        print("placewise: stopped", file=sys.stderr)
        return 130


def _run(arguments: list[str]) -> int:
    from advisor.commands import cli

    if arguments and (arguments[0] in cli.COMMANDS or arguments[0] in _FOR_THE_COMMAND_LINE):
        return cli.main(arguments, _make_pdf)
    paths, example, problem = _parse(arguments, cli.COMMANDS)
    if problem:
        print(f"placewise: {problem}; see placewise --help", file=sys.stderr)
        return 2

    def otherwise(why: str) -> int:
        print(f"placewise: {why}.\n{_INSTEAD}", file=sys.stderr)
        return _advise_example(example) if example else 2

    if not has_display(os.environ, sys.platform):
        return otherwise("no display is available for the window")
    load_engine()
    try:
        from gui.shell.app import run
    except ImportError as error:  # a graphics library of the system is missing
        return otherwise(f"the window can't be opened ({error})")
    return run(paths, example, lambda why: otherwise(f"the window can't be opened ({why})"))


def _make_pdf(page: Page) -> bytes:
    """A report as PDF, by Qt: loaded with the first one that asks for it."""
    from machines import PlacewiseError

    try:
        from gui.basics.report_pdf import pdf
    except ImportError as error:  # a graphics library of the system is missing
        raise PlacewiseError(
            f"a PDF needs Qt, which can't be loaded ({error})",
            remedy="Write .html and print it in a browser",
        ) from error
    return pdf(page)


def load_engine() -> None:
    """Import the engine before Qt: PySide6 reads the source of every module imported after it."""


_SHOWN = 80  # letters of a name
_FOR_THE_COMMAND_LINE = ("-h", "--help", "--version")


def _parse(arguments: list[str], commands: Sequence[str]) -> tuple[tuple[Path, ...], str, str]:
    """(files that make one project, example, what is wrong with the arguments)."""
    from advisor.basics.scheduler_address import address_of
    from machines.files import STANDARD_INPUT, is_there
    from machines.formats.fields import suggestion

    if arguments and arguments[0] == "--example":
        return (), *((arguments[1], "") if len(arguments) == 2 else ("", "which example?"))
    for place, name in enumerate(arguments):
        if name.startswith("-") and name != STANDARD_INPUT:
            return (), "", f"unknown option {name}"
        if not (is_there(name) or address_of(name)):
            if place:
                return (), "", f"no such file: {name[:_SHOWN]!r}"
            remedy = suggestion(name, commands)
            return (), "", f"no such command or file: {name[:_SHOWN]!r}. {remedy}"
    return tuple(map(Path, arguments)), "", ""


def has_display(environment: Mapping[str, str], system: str) -> bool:
    """Whether a window can be opened: a display server, or Qt told to do without one."""
    if not system.startswith(("linux", "freebsd", "openbsd")):
        return True
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return any(environment.get(name) for name in names)


def _advise_example(name: str) -> int:
    """The advice for an example, in place of the window."""
    import resources
    from advisor.commands import cli

    found = next((one for one in resources.examples() if one.name == name), None)
    if found is None:
        print(f"placewise: there is no example {name}", file=sys.stderr)
        return 2
    print(f"\nThe advice for the example “{found.title}”:\n", file=sys.stderr)
    return cli.main(["advise", str(found.workload), "--platform", found.platform])
