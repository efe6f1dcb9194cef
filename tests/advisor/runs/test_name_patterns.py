"""Names of logs: bent ones are known, shared ones are left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.basics.slugs import unique_slugs
from advisor.runs.name_patterns import found_names

TASKS = {"raw0": 0, "raw1": 1, "project0": 2, "fit the model": 3, "raw10": 4}


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("raw0", 0),
        ("RAW0", 0),
        ("raw0-default-0", 0),
        ("raw1-1f2e3d4c5b6a79880f1e2d3c4b5a6978", 1),
        ("raw0-6ba7b810-9dad-11d1-80b4-00c04fd430c8", 0),
        ("raw[i=1]", 1),
        ("project:i=0", 2),
        ("raw (1)", 1),
        ("('raw', 1)", 1),
        ("raw_10", 4),
        ("fit_the_model", 3),
        ("Fit-the-model", 3),
        ("done/fit_the_model.txt", 3),
        ("/data/out/raw1.fits.gz", 1),
        ("raw1_attempt_2", 1),
    ],
)
def test_what_engines_make_of_a_name_is_known(name: str, place: int) -> None:
    assert found_names([name], TASKS) == {name: place}


@pytest.mark.parametrize(
    "name", ["raw", "raw2", "raw0b", "cleanup", "", "model", "raw0-and-more", "raw #1", "0"]
)
def test_a_name_that_is_only_similar_is_not_known(name: str) -> None:
    assert found_names([name], TASKS) == {}


def test_names_that_share_a_task_are_left_for_the_user() -> None:
    assert found_names(["raw0-1", "raw0-2", "raw1-1"], {"raw0": 0, "raw1": 1}) == {"raw1-1": 1}


def test_a_task_that_is_known_by_its_name_is_not_taken_again() -> None:
    assert found_names(["raw0", "raw0-default-0"], TASKS) == {"raw0": 0}


def test_tasks_that_a_pattern_confuses_are_left_for_the_user() -> None:
    assert found_names(["a b"], {"a-b": 0, "a_b": 1}) == {}
    assert found_names(["x.1.1"], {"x1.1": 0, "x11": 1}) == {"x.1.1": 0}


def test_a_host_is_known_by_its_first_name() -> None:
    assert found_names(["node1.cluster.org"], {"node1": 0, "node2": 1}) == {"node1.cluster.org": 0}


@given(st.lists(st.text("ab01-_./ ", min_size=1, max_size=6), unique=True, max_size=8))
def test_no_two_names_lead_to_one_task_and_exact_names_always_lead(names: list[str]) -> None:
    known = {name: place for place, name in enumerate(names)}
    bent = [*names[1:], *unique_slugs(names)]
    found = found_names(dict.fromkeys(bent), known)
    assert len(set(found.values())) == len(found)
    assert all(found[name] == known[name] for name in names[1:])


def test_very_long_names_take_no_long_time() -> None:
    names = [f"{'- _=' * 20_000}{one}" for one in range(20)]
    assert found_names(names, TASKS) == {}
