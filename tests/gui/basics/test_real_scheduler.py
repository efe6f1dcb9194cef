"""Questions of the window on a scheduler and two workers of the `dask` command; then it is lost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from advisor.allocation.problem import Problem
from advisor.basics.scheduler_address import unprotected
from advisor.basics.shards import computing_on
from advisor.studies import STUDIES, StudyProgress, parse_settings
from advisor.studies.study_json import study_report
from gui.basics.remote_client import RemoteWorkers, reachable
from tests.conftest import cluster
from tests.dask_programs import Programs

pytestmark = [pytest.mark.engines, pytest.mark.usefixtures("compiled")]

STARTS = ("pattern=random", "messages=300", "dims=6x6", "seconds=0.05", "restarts=20")


class Window:
    """What the window hears of the workers, but that the scheduler has no TLS."""

    def __init__(self, address: str) -> None:
        self.notes: list[str] = []
        self.told: list[str] = []
        self.there = RemoteWorkers(address, self._note, self.told.append)

    def _note(self, said: str) -> None:
        if said != unprotected(self.there.address):
            self.notes.append(said)


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[Programs]:
    with ExitStack() as stack:
        yield Programs(stack, tmp_path)


@pytest.fixture
def window(programs: Programs) -> Iterator[Window]:
    while not reachable(programs.address).startswith("2 workers"):
        pass
    window = Window(programs.address)
    yield window
    window.there.close()


def said(
    study: str,
    asked: object,
    there: RemoteWorkers | None = None,
    problem: Problem | None = None,
    tell: object = None,
) -> str:
    with computing_on(there):
        result = STUDIES[study].run(asked, tell)
    assert result.complete
    return json.dumps(study_report(STUDIES[study], result, problem), sort_keys=True)


def test_a_decision_map_and_a_mapping_with_20_starts_are_the_same_there(window: Window) -> None:
    project = cluster(machines=3, width=3, stages=2)
    problem = Problem.of(project.platform, project.workload)
    drawn = parse_settings(
        STUDIES["decision-map"].record, ("points=9", "seconds=0.3"), problem=problem
    )
    assert said("decision-map", drawn, window.there, problem) == said(
        "decision-map", drawn, None, problem
    )
    starts = parse_settings(STUDIES["mapping"].record, STARTS)
    assert said("mapping", starts, window.there) == said("mapping", starts)
    assert set(window.told) == {f"Computed on {window.there.address}"}
    assert not window.notes


def test_a_scheduler_that_is_killed_in_the_middle_is_replaced_by_this_machine_which_says_so(
    programs: Programs, window: Window
) -> None:
    starts = parse_settings(STUDIES["mapping"].record, STARTS)
    here, ended = said("mapping", starts), []

    def tell(progress: StudyProgress) -> None:
        if progress.sentence.endswith("of 20 starts"):
            ended.append(progress)
            if len(ended) == 3:
                programs.scheduler.kill()

    assert said("mapping", starts, window.there, tell=tell) == here
    assert len(ended) == 20
    assert window.notes[0] == (
        f"The scheduler at {programs.address} is gone: waiting 3.00 s for it"
    )
    assert window.notes[-1].endswith("pieces computed on this machine")
