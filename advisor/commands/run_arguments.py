"""The arguments of the subcommand `run`."""

from __future__ import annotations

import argparse

ENGINES = ("dask", "bash")


def add_run(parser: argparse.ArgumentParser) -> argparse.ArgumentParser:
    """The parser with them."""
    parser.add_argument("plan", metavar="PLAN", help="what advise --json printed, or a project")
    parser.add_argument(
        "--with",
        dest="engine",
        required=True,
        choices=ENGINES,
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
        "--record", metavar="RUN.csv", help="write what happens here; a run is added to others"
    )
    parser.add_argument("--folder", metavar="DIR", help="where commands run (default: here)")
    parser.add_argument("--yes", action="store_true", help="run the commands without asking")
    return parser
