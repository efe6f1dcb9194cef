"""A kind of program that is one file and one line of the registry is a kind like any other."""

from __future__ import annotations

import pytest

from advisor.allocation.feasibility import why_not
from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Task, Workload
from advisor.basics.causes import COMPUTING, PROCESSOR_WAIT
from advisor.programs import kinds
from advisor.programs.kinds import KINDS, kind_of
from advisor.project.workload_file import dump_workload, parse_workload
from machines import Direction, InputError, Link, Machine, Platform
from tests.dummies.program_kind.reduction import REDUCTION, Reduction

FILE = """format = "placewise-workload"
version = 1
name = "sums"
flow = []

[[task]]
name = "sum"
program = { kind = "reduction", values = 1000, add_s = 0.01, order = "chain", workers = 4 }
"""
WIRE = Direction(0.001, 1e6)
PLATFORM = Platform("p", (Machine("P", cores=8), Machine("W")), (Link("P", "W", WIRE, WIRE),))


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The line that a contributor adds to `KINDS`."""
    monkeypatch.setattr(kinds, "KINDS", (*KINDS, REDUCTION))


@pytest.mark.usefixtures("registered")
def test_a_registered_kind_is_read_from_a_file_and_written_back_to_the_byte() -> None:
    workload = parse_workload(FILE)
    program = workload.tasks[0].program
    assert program == Reduction(1000, 0.01, "chain", 4)
    assert kind_of(program) is REDUCTION
    assert dump_workload(workload) == FILE


def test_without_its_line_it_is_unknown() -> None:
    with pytest.raises(InputError, match="unknown kind of program"):
        parse_workload(FILE)


@pytest.mark.usefixtures("registered")
def test_a_key_that_the_record_does_not_know_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError, match='Did you mean "workers"'):
        parse_workload(FILE.replace("workers", "worker"))


def test_it_is_priced_by_cause_where_it_can_run() -> None:
    problem = Problem.of(PLATFORM, Workload("w", (Task("A", program=Reduction(1000, 0.01)),)))
    found = predict(problem, Plan((0,)))
    assert found.makespan_s == pytest.approx(1000 / 8 * 0.01 + 3 * 0.01)
    assert found.breakdown_s[COMPUTING] == pytest.approx(1.25)
    assert found.breakdown_s[PROCESSOR_WAIT] == pytest.approx(0.03)
    assert "A on P: Nobody published this model." in found.warnings
    many = Task("A", program=Reduction(1000, 0.01, workers=4))
    narrow = Problem.of(PLATFORM, Workload("w", (many,)))
    assert why_not(narrow, 0, 0) == ""
    assert why_not(narrow, 0, 1) == (
        "A can't run on W: the machine has fewer cores than workers (1)"
    )


@pytest.mark.parametrize("kind", [*KINDS, REDUCTION], ids=lambda kind: kind.name)
def test_the_names_of_kinds_differ_and_the_first_of_each_is_one_of_it(
    kind: kinds.ProgramKind, registered: None
) -> None:
    assert kinds.known()[kind.name] is kind
    assert kind_of(kind.first()) is kind
    assert len(kinds.known()) == len(kinds.KINDS)
