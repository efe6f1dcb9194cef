"""Whether a task may run on a machine is known at once: no drop prices a program for it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations

import pytest
from PySide6.QtCore import Qt

from advisor.allocation import feasibility
from advisor.allocation import preview as previewing
from advisor.programs import diamond_program as diamond
from advisor.programs import message_program
from advisor.programs.message_program import MessageProgram
from advisor.project.examples import load_example
from advisor.project.project import Project
from gui.basics.verdicts import ILLEGAL
from gui.document.document import Document
from machines import Direction, Link, Mesh
from tests.gui.board.conftest import Hand

SPECTRA, ALIGN = 1, 2
PLAIN, PARALLEL, SMALL, TWIN = 0, 1, 2, 3
Show = Callable[[Document], Hand]


def large() -> Project:
    """The example on 256 nodes, with one more multicomputer of 64 and one of a single node."""
    project = load_example("multicomputer")
    plain, parallel = project.platform.machines
    assert parallel.network is not None
    shapes = {parallel.name: (16, 16), "small": (1,), "twin": (8, 8)}
    machines = tuple(
        replace(parallel, name=name, network=replace(parallel.network, network=Mesh(dims)))
        for name, dims in shapes.items()
    )
    wire = Direction(0.001, 1e6)
    links = tuple(
        Link(first.name, second.name, wire, wire)
        for first, second in combinations((plain, *machines), 2)
    )
    platform = replace(project.platform, machines=(plain, *machines), links=links)
    return replace(project, platform=platform)


@pytest.fixture
def priced(monkeypatch: pytest.MonkeyPatch) -> list[threading.Thread]:
    """The threads on which a program was priced or a network asked for its routes."""
    threads: list[threading.Thread] = []

    def watched(owner: object, name: str) -> None:
        original = getattr(owner, name)

        def told(*arguments: object) -> object:
            threads.append(threading.current_thread())
            return original(*arguments)

        monkeypatch.setattr(owner, name, told)

    watched(MessageProgram, "cost")
    watched(message_program, "routes_of")
    watched(diamond, "routes_of")
    return threads


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """The offers of machines wait until it is set: a hand is quicker than they are."""
    known, preview = threading.Event(), previewing.preview

    def later(*arguments: object) -> object:
        known.wait(60.0)
        return preview(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(previewing, "preview", later)
    yield known
    known.set()


def test_a_drop_before_the_offers_are_there_prices_nothing_on_the_window_s_thread(
    show: Show, priced: list[threading.Thread], held: threading.Event
) -> None:
    document = Document(large())
    priced.clear()  # of reading the example
    hand = show(document)
    said: list[object] = []
    hand.board.surface.carrying.said.connect(said.append)
    assert document.project.plan.allocation[ALIGN] == PARALLEL
    for machine, reason in ((PLAIN, "no network"), (SMALL, "at least two nodes")):
        hand.lift(ALIGN, hand.lane(machine))
        hand.release(hand.lane(machine))
        assert document.project.plan.allocation[ALIGN] == PARALLEL
        assert str(said[-1]).startswith("Not moved: align can't run on")
        assert reason in str(said[-1])
    hand.lift(ALIGN, hand.lane(TWIN))
    hand.release(hand.lane(TWIN))
    assert document.project.plan.allocation[ALIGN] == TWIN
    hand.wait_until_current()
    document.undo_stack.undo()
    held.set()
    hand.wait_until_current()
    assert priced
    assert threading.main_thread() not in priced


def test_the_reasons_on_the_lanes_are_those_of_a_refused_drop(
    show: Show, priced: list[threading.Thread]
) -> None:
    document = Document(large())
    priced.clear()  # of reading the example
    hand = show(document)
    hand.lift(SPECTRA, hand.lane(PLAIN))
    hand.wait_for_offers()
    shown = [hand.board.surface.machine_offer(machine) for machine in (PARALLEL, SMALL, TWIN)]
    assert [offer.verdict == ILLEGAL for offer in shown] == [False, True, False]
    assert shown[1].long == (
        "spectra can't run on small: a parallel program needs at least two nodes (1)"
    )
    outcome = document.outcome
    assert outcome is not None
    assert feasibility.why_not(outcome.problem, SPECTRA, SMALL) == shown[1].reason
    hand.key(Qt.Key.Key_Escape)
    hand.release(hand.lane(PLAIN))
    assert priced
    assert threading.main_thread() not in priced
