"""The subcommand `measure`: what this machine is, or the other end of such a measurement."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from pathlib import Path

from advisor.commands.inputs import warn
from advisor.commands.interrupts import interruptible
from advisor.commands.text import said_before, say, say_json
from advisor.measuring import peer, processors
from advisor.measuring.measure import measure
from advisor.measuring.measurement_words import lines
from machines import InputError
from machines.files import expect_writable, write_text
from machines.formats.platform_toml import write_platform
from machines.stopping import stoppable


def run_measure(arguments: Namespace) -> int:
    """Measure and print; or serve one peer."""
    with interruptible() as asked, stoppable(asked):
        if arguments.serve is not None:
            return _serve(arguments.serve)
        return _measure(arguments)


def _serve(text: str) -> int:
    address = peer.address_from(text)
    speed = max(one.value for one in processors.speeds().values())

    def ready(port: int) -> None:
        say(f"Answers one peer at {address[0]}:{port}, for {peer.WAIT_S:.0f} s: "
            f"placewise measure --peer {address[0]}:{port}")  # fmt: skip
        sys.stdout.flush()

    name = peer.serve(address, peer.this_host(speed), ready)
    say(f"Done: {name} has measured.")
    return 0


def _measure(arguments: Namespace) -> int:
    out = None if arguments.out is None else Path(arguments.out)
    raw = None if out is None else out.with_suffix(".json")
    for path in (out, raw):
        if path is not None:
            expect_writable(path)
    if out is not None and out.suffix != ".toml":
        raise InputError("--out ends in .toml", value=arguments.out)
    address = None if arguments.peer is None else peer.address_from(arguments.peer)
    found = measure(address, _progress)

    def write() -> None:
        if out is not None and raw is not None:
            write_text(raw, json.dumps(found.document(), indent=1) + "\n")
            write_platform(found.platform(), out)

    with said_before(write):
        if arguments.json:
            say_json(found.document())
        else:
            say(*lines(found))
        warn(found.state.warnings)
    if out is not None and not arguments.json:
        say(f"Written: {out}, with every figure in {raw}")
    return 0


def _progress(text: str) -> None:
    sys.stderr.write(f"placewise: measuring {text} …\n")
    sys.stderr.flush()
