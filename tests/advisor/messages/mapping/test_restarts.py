"""Several starts of the search: the single ones, the best of them, stopping, and what is sent."""

from __future__ import annotations

import pickle
from itertools import count

import pytest

from advisor.basics.shards import computing_on
from advisor.messages.mapping import program_patterns as patterns
from advisor.messages.mapping.mapping_measures import HOP_BYTES, OBJECTIVES
from advisor.messages.mapping.mapping_problem import MappingProblem, mapping_problem
from advisor.messages.mapping.optimise import optimise
from advisor.messages.mapping.restarts import restarted
from machines.network import Mesh
from tests.advisor.messages.mapping.test_mapping_measures import ALEWIFE
from tests.shuffled import Shuffled

pytestmark = pytest.mark.usefixtures("compiled")
LITTLE = 0.001


def scattered() -> MappingProblem:
    messages = patterns.random_messages(24, 150, 8.0, seed=2)
    return mapping_problem(messages, Mesh((5, 5), wrap=True))


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_starts_are_single_searches_of_their_seeds_and_the_first_best_is_taken(
    objective: str,
) -> None:
    problem = scattered()
    found = restarted(problem, ALEWIFE, objective, LITTLE, range(3, 9))
    assert found is not None
    alone = [optimise(problem, ALEWIFE, objective, LITTLE, seed) for seed in range(3, 9)]
    assert [one.seed for one in found.starts] == list(range(3, 9))
    assert [one.found.mapping for one in found.starts] == [one.mapping for one in alone]
    ranks = [one.measures.rank(objective) for one in alone]
    assert found.best.mapping == alone[ranks.index(min(ranks))].mapping
    assert found.best.complete


def test_the_best_does_not_depend_on_which_start_ends_first() -> None:
    ring = mapping_problem(patterns.ring(16, 8.0), Mesh((4, 4), wrap=True))
    here = restarted(ring, ALEWIFE, HOP_BYTES, LITTLE, range(8))
    assert here is not None
    assert {one.found.measures.hop_bytes for one in here.starts} == {16 * 8.0}  # all as good
    for order in range(3):
        with computing_on(Shuffled(order)):
            there = restarted(ring, ALEWIFE, HOP_BYTES, LITTLE, range(8))
        assert there is not None
        assert there.best.mapping == here.best.mapping == here.starts[0].found.mapping


def test_progress_goes_over_all_starts() -> None:
    told: list[tuple[float, str]] = []
    restarted(scattered(), ALEWIFE, HOP_BYTES, LITTLE, range(3), lambda *one: told.append(one))
    shares = [share for share, _ in told]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert told[0][1].startswith("start 1 of 3: ")
    assert [text for _, text in told if text.endswith("of 3 starts")] == [
        "1 of 3 starts", "2 of 3 starts", "3 of 3 starts",
    ]  # fmt: skip


def test_a_single_start_tells_as_the_search_does() -> None:
    told: list[str] = []
    found = restarted(
        scattered(), ALEWIFE, HOP_BYTES, LITTLE, [0], lambda _share, text: told.append(text)
    )
    assert found is not None
    assert len(found.starts) == 1
    assert all(text.endswith("moves tried") for text in told)


def test_stopped_in_the_middle_it_keeps_the_starts_that_have_something() -> None:
    problem, asked = scattered(), count()
    assert restarted(problem, ALEWIFE, HOP_BYTES, LITTLE, range(5), None, lambda: True) is None
    found = restarted(
        problem, ALEWIFE, HOP_BYTES, LITTLE, range(500), None, lambda: next(asked) > 300
    )
    assert found is not None
    assert 0 < len(found.starts) < 500
    assert not found.best.complete
    with computing_on(Shuffled()):
        asked = count()
        elsewhere = restarted(
            problem, ALEWIFE, HOP_BYTES, LITTLE, range(9), None, lambda: next(asked) >= 4
        )
    assert elsewhere is not None
    assert len(elsewhere.starts) == 4
    assert not elsewhere.best.complete


def test_a_pickled_problem_holds_no_tables_of_routes() -> None:
    large = mapping_problem(patterns.ring(1000, 8.0), Mesh((10, 10, 10), wrap=True))
    assert large.landscape.net.away.size == 10**6
    message = pickle.dumps(large)
    assert len(message) < 50_000
    again = pickle.loads(message)
    assert (again.tables.ways == large.tables.ways).all()
    assert again.hop_bytes(tuple(range(1000))) == large.hop_bytes(tuple(range(1000)))
