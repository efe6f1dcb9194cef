"""The arguments of the subcommands that ask about a workload on a platform."""

from __future__ import annotations

import argparse
import contextlib

from advisor.allocation.costs import CONTENTION_READINGS
from advisor.allocation.timeline_modes import SHARINGS
from advisor.odds.goals import LEAST
from machines.checks import LARGEST

MOST_DRAWS_ASKED = 1_000_000
_MOST_ROUNDS = 100


def add_question(parser: argparse.ArgumentParser, *, files: bool = True) -> None:
    """Workload, platform, and how both are read; `files`: which may be several."""
    if files:
        parser.add_argument(
            "workload", metavar="FILE", nargs="+",
            help="a workload, workflow, project or log; several files together (docs/sources.md)",
        )  # fmt: skip
        add_answer(parser)
    parser.add_argument(
        "--platform",
        metavar="P",
        help="a platform file or a name in the catalogue; default: the workload file's machines",
    )
    parser.add_argument(
        "--model",
        choices=CONTENTION_READINGS,
        help="contention model (default: that of a project, else exact)",
    )
    parser.add_argument(
        "--sharing",
        choices=SHARINGS,
        help="fair: contention-aware schedule, transfers share links and tasks share processors; "
        "none: contention-free schedule (default: that of a project, else fair)",
    )
    parser.add_argument(
        "--runtime",
        metavar="NAME",
        help="runtime that starts tasks and fetches data, in place of the platform's: ideal, dask, "
        "slurm, snakemake … of the catalogue, or a file that learn wrote",
    )
    add_json(parser)


def add_odds(parser: argparse.ArgumentParser) -> None:
    """How what is not known exactly is drawn."""
    parser.add_argument(
        "--exact",
        action="store_true",
        help="only what states a spread varies; else ±15 %% on task times, ±7 %% on speeds and "
        "±25 %% on bandwidths are assumed",
    )
    parser.add_argument(
        "--draws",
        type=_draws,
        metavar="N",
        help="draws of what is not known exactly (default: half a second's, at most 1,024)",
    )


def add_goal(parser: argparse.ArgumentParser) -> None:
    """What a robust plan is judged by, beside --objective."""
    parser.add_argument(
        "--deadline",
        type=_positive,
        metavar="S",
        help="of --objective deadline: seconds by which the plan is to end",
    )
    parser.add_argument(
        "--chance",
        type=_chance,
        default=0.95,
        metavar="P",
        help="share of runs that are to end by the deadline (default: 0.95)",
    )
    parser.add_argument(
        "--least",
        choices=LEAST,
        default=LEAST[0],
        help="what a plan with a deadline is to spend least of (default: money)",
    )


def _positive(text: str) -> float:
    with contextlib.suppress(ValueError):
        if 0.0 < (value := float(text)) < LARGEST:
            return value
    raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds above 0")


def _rounds(text: str) -> int:
    with contextlib.suppress(ValueError):
        if 1 <= (value := int(text)) <= _MOST_ROUNDS:
            return value
    raise argparse.ArgumentTypeError(f"{text!r} is no whole number between 1 and {_MOST_ROUNDS}")


def _chance(text: str) -> float:
    with contextlib.suppress(ValueError):
        if 0.0 < (value := float(text)) < 1.0:
            return value
    raise argparse.ArgumentTypeError(f"{text!r} is no share between 0 and 1: 0.95 is 95 %")


def _draws(text: str) -> int:
    with contextlib.suppress(ValueError):
        value = int(text)
        if 1 <= value <= MOST_DRAWS_ASKED:
            return value
    raise argparse.ArgumentTypeError(
        f"{text!r} is no whole number between 1 and {MOST_DRAWS_ASKED:,}"
    )


def add_answer(parser: argparse.ArgumentParser) -> None:
    """Answers to what files leave open."""
    parser.add_argument(
        "--answer", action="append", default=[], metavar="KEY=VALUE",
        help="to a question that the files leave open; repeatable",
    )  # fmt: skip


def add_open(parser: argparse.ArgumentParser) -> None:
    """Files, and where the project goes."""
    parser.add_argument("file", metavar="FILE", nargs="+",
                        help="workflows, sites, logs of any kind in docs/sources.md, or the "
                        "address of a Dask scheduler: tcp://host:8786")  # fmt: skip
    parser.add_argument("--out", metavar="P", help="P.placewise: the project; P.toml: its machines")
    add_answer(parser)
    add_json(parser)


def add_measure(parser: argparse.ArgumentParser) -> None:
    """Which end, and where the machine goes."""
    ends = parser.add_mutually_exclusive_group()
    ends.add_argument("--peer", metavar="HOST[:PORT]", help="where another machine serves")
    ends.add_argument(
        "--serve", metavar="HOST[:PORT]",
        help="an address of this machine: answer one peer there, then end",
    )  # fmt: skip
    parser.add_argument(
        "--out", metavar="M.toml", help="write the platform here, and every figure beside it"
    )
    add_json(parser)


def add_files(parser: argparse.ArgumentParser) -> None:
    """What `advise` writes."""
    parser.add_argument("--out", metavar="DIR", help="write plan.json and schedule.csv here")
    add_group(parser)


def add_group(parser: argparse.ArgumentParser) -> None:
    """Short tasks as groups."""
    parser.add_argument(
        "--group",
        metavar="DIR",
        help="group tasks shorter than the runtime's overhead where that pays, and write the "
        "grouped workload.toml and its plan.json here",
    )


def add_json(parser: argparse.ArgumentParser) -> None:
    """One object in place of text."""
    parser.add_argument("--json", action="store_true", help="print one JSON object, nothing else")


# The arguments of the subcommand `campaign`.

_MOST_WORKERS = 1024


def add_campaign(parser: argparse.ArgumentParser) -> None:
    """The file, the results, and who computes."""
    parser.add_argument(
        "campaign", metavar="FILE.toml", help="a campaign file, or the name of a shipped one: lists"
    )
    parser.add_argument(
        "--out",
        required=True,
        metavar="DIR",
        help="the folder of results; a partial one is resumed",
    )
    parser.add_argument(
        "--baseline",
        default="",
        metavar="NAME",
        help="the strategy to compare the best with (default: the next best)",
    )
    computing = parser.add_mutually_exclusive_group()
    computing.add_argument(
        "--workers",
        type=_workers,
        metavar="N",
        help="processes of this machine (default: as many as its processors; 1: this one, "
        "without Dask)",
    )
    computing.add_argument(
        "--scheduler",
        default="",
        metavar="ADDRESS",
        help="of a running Dask cluster with the same version of Placewise",
    )
    add_json(parser)


def _workers(text: str) -> int:
    with contextlib.suppress(ValueError):
        value = int(text)
        if 1 <= value <= _MOST_WORKERS:
            return value
    raise argparse.ArgumentTypeError(f"{text!r} is no whole number between 1 and {_MOST_WORKERS:,}")


# The arguments of the subcommands `run` and `learn`.


def add_run(parser: argparse.ArgumentParser) -> None:
    """The plan, who carries it out, and where."""
    parser.add_argument("plan", metavar="PLAN", help="what advise --json printed, or a project")
    parser.add_argument(
        "--with",
        dest="engine",
        required=True,
        metavar="ENGINE",
        help="dask: a worker for each machine, on this one or on a running cluster; bash: "
        "processes of this machine",
    )
    parser.add_argument(
        "--scheduler",
        default="",
        metavar="ADDRESS",
        help="of a running Dask cluster, whose workers have the machines' names",
    )
    parser.add_argument(
        "--record", metavar="RUN.csv", help="write the run record here; runs are appended"
    )
    parser.add_argument("--folder", metavar="DIR", help="where commands run (default: here)")
    parser.add_argument("--yes", action="store_true", help="run the commands without asking")
    parser.add_argument(
        "--replan", action="store_true",
        help="move waiting tasks when others take longer than predicted or a worker is lost",
    )  # fmt: skip
    parser.add_argument(
        "--compare-default", type=_rounds, nargs="?", const=3, metavar="N",
        help="run the plan and the engine's own scheduling in turn, N times each (default: 3), and "
        "say which won, by how much beside the noise",
    )  # fmt: skip


def add_learn(parser: argparse.ArgumentParser) -> None:
    """A workload with its plan and the logs of its runs, or logs alone."""
    parser.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="with --plan: the workload (ours, WfFormat, a table of tasks), then run records and "
        "logs of engines, or folders of them, in the order of time; else logs alone, from which "
        "the engine is calibrated",
    )
    parser.add_argument(
        "--plan",
        metavar="PLAN",
        help='{"task": "machine", …}, or what advise printed: the plan that was run',
    )
    parser.add_argument(
        "--predict",
        action="append",
        default=[],
        metavar="LOG",
        help="without --plan: a run that the calibrated engine is to predict; repeatable",
    )
    parser.add_argument(
        "--out",
        metavar="DIR",
        help="write workload.toml and platform.toml as calibrated, and run.csv, into this new "
        "folder; from logs alone runtime.toml",
    )


def add_validate(parser: argparse.ArgumentParser) -> None:
    """What published numbers are compared as: a table, or the papers' figures."""
    parser.add_argument(
        "--figures",
        nargs="?",
        const="",
        metavar="FOLDER",
        help="the papers' figures, redrawn by the models: a list, or a page and a picture each "
        "in a new folder",
    )
    add_json(parser)
