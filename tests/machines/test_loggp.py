"""LogGP parameters: values, defaults and refusals."""

from dataclasses import FrozenInstanceError, fields, replace

import pytest

from machines import InputError, LogGP


def test_the_optional_parameters_are_zero():
    p = LogGP(L=5, o_s=1, o_r=2)
    assert (p.g, p.G, p.G_m, p.a) == (0.0, 0.0, 0.0, 0.0)


def test_parameters_are_floats_and_compare_by_value():
    assert LogGP(5, 1, 2) == LogGP(L=5.0, o_s=1.0, o_r=2.0)
    assert all(isinstance(getattr(LogGP(5, 1, 2), field.name), float) for field in fields(LogGP))


def test_a_value_is_frozen_and_replaced():
    p = LogGP(5, 1, 2)
    with pytest.raises(FrozenInstanceError):
        p.L = 6
    assert replace(p, G=0.5).G == 0.5


@pytest.mark.parametrize("name", ["L", "o_s", "o_r", "g", "G", "G_m", "a"])
@pytest.mark.parametrize("value", [-1.0, float("nan"), float("inf"), "1", True, 10**400])
def test_a_parameter_that_is_no_finite_number_from_zero_is_refused_by_name(name, value):
    arguments = {"L": 1.0, "o_s": 1.0, "o_r": 1.0, name: value}
    with pytest.raises(InputError, match=f"LogGP: {name} "):
        LogGP(**arguments)
