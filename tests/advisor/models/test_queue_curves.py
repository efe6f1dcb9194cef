"""The queue's speedups for many shapes at once against one at a time."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.models.mrm import coherent_throughput, erlang_b, erlang_speedup
from advisor.models.queue_curves import coherent_curve, erlang_b_many, erlang_curve


@given(st.floats(-3, 6), st.integers(0, 20_000))
def test_the_closed_form_of_erlang_is_the_recursion(exponent, servers):
    A = 10**exponent
    found = float(erlang_b_many(np.array([A]), np.array([float(servers)]))[0])
    assert found == pytest.approx(erlang_b(A, servers), rel=1e-9, abs=1e-200)


def test_all_sigma_and_all_processors_come_at_once():
    P, sigmas = np.array([1.0, 2, 7, 300, 5000]), np.array([1e-12, 1e-4, 0.01, 0.5, 1.0])
    curve = erlang_curve(P, sigmas[:, None])
    for row, sigma in zip(curve, sigmas, strict=True):
        assert row == pytest.approx([erlang_speedup(int(p), sigma) for p in P], rel=1e-9)


def test_nothing_serial_scales_linearly():
    P = np.array([1.0, 10, 100])
    assert erlang_curve(P, np.zeros((1, 1)))[0] == pytest.approx(P)
    assert coherent_curve(P, np.zeros((1, 2)))[0] == pytest.approx(P)


def test_everything_serial_does_not_scale():
    P = np.array([1.0, 10, 100])
    assert erlang_curve(P, np.ones((1, 1)))[0] == pytest.approx(1)
    assert coherent_curve(P, np.array([[1.0, 0.0]]))[0] == pytest.approx(1)


def test_the_chain_of_many_shapes_is_that_of_each():
    P = np.array([1.0, 3, 40, 105, 700])
    shapes = np.array([[0.01, 5e-5], [0.2, 0.0], [0.03, 0.01]])
    curve = coherent_curve(P, shapes)
    for row, (sigma, kappa) in zip(curve, shapes, strict=True):
        each = [coherent_throughput(int(p), sigma, 1 - sigma, kappa / sigma) for p in P]
        assert row == pytest.approx(each, rel=1e-10)
