"""The arguments of the subcommand `learn`, beside those of every question."""

from __future__ import annotations

import argparse


def add_learn(parser: argparse.ArgumentParser) -> None:
    """Give them to the parser."""
    parser.add_argument(
        "--plan",
        required=True,
        metavar="PLAN",
        help='what was to be carried out: {"task": "machine", …}, or what advise printed',
    )
    parser.add_argument(
        "logs",
        nargs="+",
        metavar="LOG",
        help="run records, logs of engines, or folders of them, in the order of time",
    )
    parser.add_argument(
        "--out",
        metavar="DIR",
        help="write workload.toml and platform.toml with what was learnt, and run.csv, into this "
        "new folder",
    )
