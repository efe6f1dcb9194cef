"""The arguments of the subcommands that ask about a workload on a platform."""

from __future__ import annotations

import argparse

from advisor.allocation.costs import CONTENTION_READINGS, EXACT
from advisor.allocation.sharing import FAIR, SHARINGS


def add_question(parser: argparse.ArgumentParser) -> None:
    """Workload, platform, and how both are read."""
    parser.add_argument("workload", metavar="WORKLOAD", help="a workload or WfFormat file")
    parser.add_argument(
        "--platform",
        metavar="P",
        help="a platform file or a name in the catalogue; default: the workload file's machines",
    )
    parser.add_argument(
        "--model",
        choices=CONTENTION_READINGS,
        default=EXACT,
        help="contention model (default: exact)",
    )
    parser.add_argument(
        "--sharing",
        choices=SHARINGS,
        default=FAIR,
        help="fair: contention-aware schedule, transfers share links and tasks share processors; "
        "none: contention-free schedule (default: fair)",
    )
    parser.add_argument(
        "--runtime",
        metavar="NAME",
        help="runtime that starts tasks and fetches data, in place of the platform's: ideal, dask, "
        "slurm, "
        "snakemake … of the catalogue",
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
