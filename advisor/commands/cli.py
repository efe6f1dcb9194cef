"""The command line: every question the window answers, without a display.

`main` parses, dispatches to `advisor.commands` and turns errors into one message and an exit
status: 0 done, 2 unusable input, 3 infeasible, 130 stopped by Ctrl-C.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import logging
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from advisor.allocation.objectives import OBJECTIVES
from advisor.basics.plug_ins import plugged
from advisor.commands.argument_numbers import cores, index, seconds, seed, times
from advisor.commands.question_arguments import (
    add_campaign,
    add_files,
    add_goal,
    add_group,
    add_json,
    add_learn,
    add_measure,
    add_odds,
    add_open,
    add_question,
    add_run,
    add_validate,
)
from advisor.commands.worker_options import add_elsewhere
from advisor.export.export_options import CORES_EACH, FLAG, INDEX, OPTIONS
from advisor.odds.goals import GOALS
from advisor.project.questions import QUESTIONS, file_options
from machines import PlacewiseError
from machines.errors import LONGEST_LINE, readable
from machines.files import kept_inputs

if TYPE_CHECKING:
    from advisor.export.report_page.page_blocks import MakePdf

INTERRUPTED = 130
UNUSABLE = 2

COMMANDS = (
    "open", "advise", "predict", "compare", "study", "export", "report", "check", "run", "learn",
    "campaign", "measure", "catalogue", "validate",
)  # fmt: skip

_HOMES = dict.fromkeys(("advise", "predict", "compare"), "advise_commands")  # file of a subcommand
_HOMES |= {
    "export": "export_command",
    "report": "report_command",
    "validate": "reference",
    "open": "open_command",
}

_LOG = logging.getLogger("advisor")
_Add = Callable[[str, str], Any]


def main(argv: Sequence[str] | None = None, make_pdf: MakePdf | None = None) -> int:
    """Run one subcommand.

    `argv`: the arguments after the program's name; default those of the process.
    `make_pdf`: page of a report → the bytes of a PDF file: Qt's work, which the program `placewise`
        brings along; without it reports are HTML.
    Returns the exit status.
    """
    if sys.stderr is None:  # closed by whoever started this
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - to the end
    if sys.stdout is None:
        return _refused("standard output is closed: there is nowhere to answer", UNUSABLE)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # names may hold what a terminal's own encoding lacks
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    if not _LOG.handlers:
        _LOG.addHandler(_Notes())
        _LOG.setLevel(logging.INFO)
    status = 0
    try:
        status = _answered(argv, make_pdf)
        sys.stdout.flush()
    except BrokenPipeError:
        _silence()
    except OSError as error:
        status = _refused(f"{error.filename or 'output'}: {error.strerror or error}", UNUSABLE)
        _silence()
    return status


def _answered(argv: Sequence[str] | None, make_pdf: MakePdf | None) -> int:
    """The exit status of one subcommand whose answer is on standard output."""
    try:
        arguments = _parser().parse_args(argv, argparse.Namespace(make_pdf=make_pdf))
        with kept_inputs():
            status = _runner(arguments.command)(arguments)
    except SystemExit as request:  # --help, or a wrong argument that is already reported
        status = request.code if isinstance(request.code, int) else 0
    except PlacewiseError as error:
        status = _refused(str(error), error.exit_status)
    except KeyboardInterrupt:
        status = _refused("stopped", INTERRUPTED)
    except MemoryError:
        status = _refused("not enough memory for this workload", UNUSABLE)
    return status


def _runner(command: str) -> Callable[[argparse.Namespace], int]:
    """The subcommand's function; imported here so that ``--help`` is instant."""
    home = next(plugged(f"advisor.commands.{_HOMES.get(command, command)}"), None)
    if home is None:
        raise PlacewiseError("this installation leaves it out", where=command)
    run: Callable[[argparse.Namespace], int] = getattr(home, f"run_{command}")
    return run


class _Notes(logging.Handler):
    """Prints what the engine has to say beside its answers, as warnings are printed."""

    def emit(self, record: logging.LogRecord) -> None:
        """One line on standard error."""
        sys.stderr.write(f"placewise: note: {readable(record.getMessage(), LONGEST_LINE)}\n")


class _Version(argparse.Action):
    """Prints the version and ends."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        """Ask the installed package."""
        from importlib import metadata  # noqa: PLC0415 - slow to import

        try:
            text = f"placewise {metadata.version('placewise')}"
        except metadata.PackageNotFoundError:
            text = "placewise, not installed"
        print(text)
        parser.exit()


class _Parser(argparse.ArgumentParser):
    """Reports a wrong argument in one message and exits with status 2."""

    intermixed = False  # whether options may stand between the files

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As argparse does, whose intermixed parsing calls this again."""
        if not self.intermixed:
            return super().parse_known_args(args, namespace)
        self.intermixed = False
        try:
            return self.parse_known_intermixed_args(args, namespace)
        finally:
            self.intermixed = True

    def error(self, message: str) -> NoReturn:
        said = readable(message, LONGEST_LINE)
        sys.stderr.write(f"{self.prog}: error: {said}; see {self.prog} --help\n")
        raise SystemExit(UNUSABLE)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="placewise",
        description="Predict and plan parallel programs on heterogeneous machines.",
        epilog="Without a subcommand the window opens: placewise [PROJECT].",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--version", action=_Version, nargs=0, help="show which version this is and exit"
    )
    subcommands = parser.add_subparsers(
        dest="command", metavar="COMMAND", required=True, parser_class=_Parser
    )

    def add(name: str, text: str) -> argparse.ArgumentParser:
        return subcommands.add_parser(name, help=text, description=text, allow_abbrev=False)

    _placing(add)
    _study(add("study", "Answer one of the other questions."))
    _writing(add)
    check = add("check", "Cross-check a plan with SimGrid.")
    check.add_argument("plan", metavar="PLAN", help="what advise --json printed, or a project")
    check.add_argument(
        "--with",
        dest="simulator",
        required=True,
        choices=("simgrid",),
        help="SimGrid: needs a Python with its module (Debian, Ubuntu: apt install "
        "python3-simgrid)",
    )
    _in_place_of(check)
    add_json(check)
    _runs(add)
    add_measure(add("measure", "Measure this machine in a minute: a platform that opens."))
    catalogue = add("catalogue", "List shipped machines and networks, or show one with its source.")
    catalogue.add_argument("name", nargs="?", metavar="NAME")
    add_validate(add("validate", "Compare every published number with the models."))
    return parser


def _placing(add: _Add) -> None:
    """Where tasks run: the best plan, a stated one, several side by side."""
    add_open(add("open", "Make a project from files: workflows, sites, logs, told by content."))
    advise = add("advise", "Find the best allocation of a workload and explain it.")
    add_question(advise)
    _search(advise, (*OBJECTIVES, *GOALS))
    add_goal(advise)
    advise.add_argument("--strategy", default="auto", help="how to search (default: auto)")
    add_odds(advise)
    add_files(advise)

    predict = add("predict", "Predict the time of a given allocation.")
    add_question(predict)
    predict.add_argument(
        "--allocation",
        required=True,
        metavar="FILE.json",
        help='{"task": "machine", …}, or what advise printed',
    )
    predict.add_argument("--seed", type=seed, default=0, help="seed of the draws (default: 0)")
    add_odds(predict)
    add_group(predict)

    compare = add("compare", "Compare the plans of several strategies.")
    add_question(compare)
    _search(compare)
    add_odds(compare)
    compare.add_argument(
        "--strategies",
        metavar="A,B,…",
        help="default: all that suit the workload, except those that run only when named; "
        "deadline:3600:0.95:money is the plan of least money (energy, carbon) that ends within "
        "3600 s in 95 %% of runs",
    )
    compare.add_argument(
        "--against",
        metavar="PLAN",
        help="compare the best of the others with this one: a strategy, or a plan file as for "
        "predict",
    )
    compare.add_argument(
        "--pareto",
        default="total",
        metavar="MEASURE",
        help="mark the Pareto front of the makespan and machines, processors, total (default), "
        "money, energy or p90: what nine of ten runs stay below",
    )


def _study(study: argparse.ArgumentParser) -> None:
    study.add_argument("name", metavar="NAME", help=f"the study: {', '.join(QUESTIONS)}")
    study.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="a setting; repeatable"
    )
    for option in file_options():
        study.add_argument(
            f"--{option.name}", action="append", metavar=option.metavar, help=option.help
        )
    simulated = ", ".join(one.name for one in QUESTIONS.values() if one.simulated)
    study.add_argument(
        "--check", nargs="?", type=times, const=1, metavar="TIMES",
        help=f"simulate the case, too: {simulated}; TIMES as much narrows the intervals",
    )  # fmt: skip
    _of_project(study)
    add_json(study)


def _writing(add: _Add) -> None:
    """Files for other programs and for people."""
    export = add(
        "export",
        "Write a plan for another tool, a mapping for a launcher, a tree for MRNet or STAT.",
    )
    export.add_argument(
        "plan",
        metavar="PLAN",
        help="what advise, study mapping or study trees --json printed, or a project, "
        "or an MRNet topology configuration",
    )
    export.add_argument(
        "--to",
        required=True,
        metavar="FORMAT",
        help="an unknown name lists them; all: every file of a plan, into a new folder",
    )
    export.add_argument("--output", required=True, metavar="FILE", help="of all: a folder")
    export.add_argument("--task", metavar="NAME", help="of a plan: whose mapping, if several have")
    export.add_argument("--overlay", metavar="NAME", help="of a plan: whose tree, if several have")
    _in_place_of(export)
    _told(export)

    report = add("report", "Write a project's report as one HTML or PDF file.")
    report.add_argument("plan", metavar="PROJECT", help="a project, a plan, or what advise takes")
    report.add_argument("--output", required=True, metavar="FILE", help="ends in .html or .pdf")
    report.add_argument("--seconds", type=seconds, default=2.0, metavar="S",
                        help="search budget in seconds (default: 2)")  # fmt: skip
    report.add_argument(
        "--date", default="", metavar="TEXT", help="a date to print (default: none)"
    )
    _in_place_of(report)


def _runs(add: _Add) -> None:
    """Plans carried out, and what happened; many cases carried out."""
    run = add("run", "Run a plan's commands on Dask or as local processes.")
    add_run(run)
    _in_place_of(run)
    add_json(run)
    learn = add("learn", "Compare run logs with the prediction and calibrate from them.")
    learn.intermixed = True
    add_question(learn, files=False)
    add_learn(learn)
    add_campaign(add("campaign", "Compute many cases into a folder of results, or resume them."))


def _of_project(parser: argparse.ArgumentParser) -> None:
    """What a study about a project is asked with."""
    parser.add_argument("--project", metavar="P", help="a project: the study opens with its values")
    about = parser.add_mutually_exclusive_group()
    about.add_argument(
        "--subject", metavar="NAME", help="the task, overlay or machine that the study is about"
    )
    about.add_argument("--case", metavar="NAME", help="a case of the study in the project")
    parser.add_argument(
        "--use", action="store_true", help="write the answer into the project as its decision"
    )
    parser.add_argument("--out", metavar="P2", help="write it here instead (with --use)")
    add_elsewhere(parser)


def _search(parser: argparse.ArgumentParser, objectives: tuple[str, ...] = OBJECTIVES) -> None:
    parser.add_argument(
        "--objective", choices=objectives, help="default: that of a project, else makespan"
    )
    parser.add_argument(
        "--seconds",
        type=seconds,
        default=2.0,
        metavar="S",
        help="search budget in seconds (default: 2)",
    )
    parser.add_argument(
        "--seed", type=seed, default=0, help="seed of the random choices (default: 0)"
    )
    add_elsewhere(parser)


def _in_place_of(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--workload", help="overrides the plan's own")
    parser.add_argument("--platform", help="overrides the plan's own")


def _told(parser: argparse.ArgumentParser) -> None:
    """What exports can be told."""
    for option in OPTIONS:
        if option.kind == FLAG:
            parser.add_argument(option.flag, action="store_true", help=option.help)
        elif option.kind in _NUMBERS:
            read, default = _NUMBERS[option.kind]
            default = 0 if option.unset else default
            parser.add_argument(
                option.flag, type=read, default=default, metavar=option.metavar, help=option.help
            )
        else:
            parser.add_argument(option.flag, metavar=option.metavar, help=option.help)


_NUMBERS: dict[str, tuple[Callable[[str], int], int]] = {
    CORES_EACH: (cores, 1),
    INDEX: (index, 0),
}


def _refused(message: str, status: int) -> int:
    text = " ".join(message.split())
    with contextlib.suppress(OSError):
        sys.stderr.write(f"placewise: {text}\n")
        sys.stderr.flush()
    return status


def _silence() -> None:
    """Keep the interpreter from writing again at its end what nobody can read."""
    with contextlib.suppress(OSError):
        sys.stdout.flush()
        return
    with contextlib.suppress(OSError, ValueError), Path(os.devnull).open("wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
