"""Co-located internal processes: prices, break-even shares, curves, and which is better."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.models.contention import CONTENTION_READINGS
from advisor.models.mrnet import kary, utilisation
from advisor.trees.colocation import (
    DEDICATED,
    DEPENDS,
    MOST_PER_HOST,
    SHARED,
    Colocation,
)
from machines import InputError
from tests.advisor.random_trees import loggp

PUBLISHED = 72 / 584


def test_the_full_8_way_tree_of_512_breaks_even_at_12_percent() -> None:
    tree = kary(8, 3)
    found = Colocation.of(tree.back_ends, tree.internal, 0.05)
    assert found.dedicated_loss == pytest.approx(PUBLISHED)
    assert found.fixed_rate.loss == pytest.approx(0.05)
    assert found.fixed_rate.break_even == pytest.approx(PUBLISHED)
    assert found.contender.loss == pytest.approx(1 - 1 / 1.05)
    assert found.contender.break_even == pytest.approx(72 / 512)


@pytest.mark.parametrize(("share", "better"), [(0.05, SHARED), (0.13, DEPENDS), (0.3, DEDICATED)])
def test_the_share_decides_which_is_better(share: float, better: str) -> None:
    assert Colocation.of(512, 72, share).better == better


def test_the_share_of_a_process_comes_from_the_rate_of_operations() -> None:
    share = utilisation(8, loggp(6.0, 2.0, 4.0), 1 / 200)
    found = Colocation.of(512, 72, share)
    assert found.fixed_rate.loss == pytest.approx(0.09)


@given(
    internal=st.integers(1, 40),
    cores=st.integers(1, 6),
    hosts=st.integers(1, 40),
    dedicated=st.integers(1, 40),
    reading=st.sampled_from(CONTENTION_READINGS),
)
def test_at_the_break_even_share_both_lose_as_much(
    internal: int, cores: int, hosts: int, dedicated: int, reading: str
) -> None:
    def at(share: float) -> Colocation:
        return Colocation.of(40, internal, share, cores, reading, hosts=hosts, dedicated=dedicated)

    for name in ("fixed_rate", "contender"):
        even = getattr(at(0.0), name).break_even
        if even is None:  # sharing wins even where a process never rests
            assert getattr(at(1.0), name).loss <= at(1.0).dedicated_loss + 1e-12
        else:
            assert 0.0 <= even <= 1.0
            assert getattr(at(even), name).loss == pytest.approx(at(even).dedicated_loss, abs=1e-9)


def test_fewer_hosts_take_several_processes_each() -> None:
    found = Colocation.of(512, 72, 0.02, hosts=16, dedicated=4)
    assert found.per_host == 5
    assert found.fixed_rate.loss == pytest.approx(0.1)
    assert found.fixed_rate.break_even == pytest.approx(4 / 20 / 5)
    eight_cores = Colocation.of(512, 72, 0.02, 8, hosts=16, dedicated=4)
    assert eight_cores.fixed_rate.loss == pytest.approx(0.1 / 8)
    assert eight_cores.contender.loss < found.contender.loss


def test_curves_rise_from_nothing_and_meet_the_prices() -> None:
    found = Colocation.of(512, 72, 0.25, 4, hosts=30)
    curves = found.curves(101)
    assert curves.share[[0, 25, 100]] == pytest.approx([0.0, 0.25, 1.0])
    for curve, price in (
        (curves.fixed_rate, found.fixed_rate),
        (curves.contender, found.contender),
    ):
        assert curve[0] == pytest.approx(0.0, abs=1e-12)
        assert curve[25] == pytest.approx(price.loss)
        assert (np.diff(curve) > 0.0).all()
        assert not curve.flags.writeable
    assert (curves.dedicated == found.dedicated_loss).all()


def test_a_flat_tree_has_nothing_to_share() -> None:
    found = Colocation.of(16, 0, 0.5)
    assert (found.per_host, found.dedicated_loss, found.fixed_rate.loss) == (0, 0.0, 0.0)
    assert found.fixed_rate.break_even is None
    assert found.contender.break_even is None
    assert found.contender.loss == 0.0


def test_it_refuses_what_can_not_be() -> None:
    with pytest.raises(InputError, match="share"):
        Colocation.of(16, 4, 1.2)
    with pytest.raises(InputError, match="unknown contention model"):
        Colocation.of(16, 4, 0.1, reading="guessed")
    with pytest.raises(InputError, match="hosts"):
        Colocation.of(16, 4, 0.1, hosts=0)
    with pytest.raises(InputError, match="too many internal processes share a host"):
        Colocation.of(16, 2 * MOST_PER_HOST + 1, 0.1, hosts=2)
