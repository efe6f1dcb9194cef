"""The arguments of the subcommands `run` and `learn`."""

from __future__ import annotations

import argparse

from advisor.engines.running_here import ENGINES


def add_run(parser: argparse.ArgumentParser) -> None:
    """The plan, who carries it out, and where."""
    parser.add_argument("plan", metavar="PLAN", help="what advise --json printed, or a project")
    parser.add_argument(
        "--with",
        dest="engine",
        required=True,
        choices=tuple(ENGINES),
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


def add_learn(parser: argparse.ArgumentParser) -> None:
    """The plan and the logs of its runs."""
    parser.add_argument(
        "--plan",
        required=True,
        metavar="PLAN",
        help='{"task": "machine", …}, or what advise printed: the plan that was run',
    )
    parser.add_argument(
        "logs",
        nargs="+",
        metavar="LOG",
        help="run records and logs of engines, or folders of them, in the order of time",
    )
    parser.add_argument(
        "--out",
        metavar="DIR",
        help="write the calibrated workload.toml and platform.toml, and run.csv, into this new "
        "folder",
    )
