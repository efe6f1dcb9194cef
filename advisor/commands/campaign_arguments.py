"""The arguments of the subcommand `campaign`."""

from __future__ import annotations

import argparse
import contextlib

from advisor.commands.question_arguments import add_json

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
