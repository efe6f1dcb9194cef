"""`--scheduler` and `--workers`: independent pieces of an answer are computed by others, too."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Iterator
from contextlib import contextmanager

from advisor.basics.shards import computing_on
from advisor.basics.stop_rule import ShouldStop

_LOG = logging.getLogger(__name__)


def add_elsewhere(parser: argparse.ArgumentParser) -> None:
    """Who computes what falls into independent pieces."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--scheduler",
        default="",
        metavar="ADDRESS",
        help="of a running Dask cluster with this version of Placewise: it computes strategies, "
        "break-even loads, decision maps, starts and simulations",
    )
    where.add_argument(
        "--workers",
        type=_workers,
        default=1,
        metavar="N",
        help="processes of this machine that share that work (default: 1)",
    )


@contextmanager
def computing_as_asked(arguments: argparse.Namespace, stopped: ShouldStop) -> Iterator[None]:
    """While the block runs, pieces go where the arguments say; notes go to standard error."""
    if not arguments.scheduler and arguments.workers == 1:
        yield
        return
    from advisor.computing import computing  # noqa: PLC0415 - only where it is asked for

    workers = None if arguments.scheduler else arguments.workers
    with (
        computing(arguments.scheduler, workers, _LOG.info, stopped, fallback=True) as shards,
        computing_on(shards),
    ):
        yield


def _workers(text: str) -> int:
    if text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= 4096:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is no whole number between 1 and 4096")
