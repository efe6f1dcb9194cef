"""The error family: message, place, exit status, transport between processes."""

import pickle

import pytest

from machines import InfeasibleError, InputError, PlacewiseError
from machines.checks import number, text, whole


def test_a_message_names_place_value_and_remedy():
    error = InputError("speed is out of range", where='machine "M1"', value=-1, remedy="Above 0")
    assert str(error) == 'machine "M1": speed is out of range (got -1). Above 0'


def test_a_message_without_the_rest_is_the_fact_alone():
    assert str(InputError("no tasks")) == "no tasks"


def test_a_long_value_is_cut():
    assert len(str(InputError("odd", value="x" * 500))) < 100


def test_input_errors_are_value_errors_and_infeasible_ones_are_not():
    assert issubclass(InputError, ValueError)
    assert not issubclass(InfeasibleError, ValueError)
    assert (InputError("a").exit_status, InfeasibleError("a").exit_status) == (2, 3)


@pytest.mark.parametrize("kind", [InputError, InfeasibleError, PlacewiseError])
def test_an_error_survives_pickling(kind):
    error = kind("what", where="there", value=(1, 2), remedy="do this")
    copy = pickle.loads(pickle.dumps(error))
    assert type(copy) is kind
    assert str(copy) == str(error)


def test_a_place_is_put_before_the_known_one():
    error = InputError("bad", where='task "A"', value=3).at("w.toml")
    assert str(error) == 'w.toml: task "A": bad (got 3)'
    assert type(InfeasibleError("bad").at("w.toml")) is InfeasibleError
    assert str(InputError("bad").at("w.toml")) == "w.toml: bad"


@pytest.mark.parametrize("value", [True, "1", None, float("nan"), float("inf"), 10**400, -0.1])
def test_number_refuses_what_is_no_finite_number_in_range(value):
    with pytest.raises(InputError, match="x "):
        number("x", value)


def test_number_names_the_allowed_range():
    with pytest.raises(InputError, match=r"finite, > 0 and ≤ 1"):
        number("x", 0, high=1.0, above=True)


@pytest.mark.parametrize("value", [1, 1.0])
def test_number_gives_a_float(value):
    assert isinstance(number("x", value), float)


@pytest.mark.parametrize("value", [1.0, True, "1", -1, 2**53 + 1])
def test_whole_refuses_what_is_no_whole_number_in_range(value):
    with pytest.raises(InputError, match="whole"):
        whole("n", value)


def test_numbers_of_arrays_are_numbers():
    np = pytest.importorskip("numpy")
    assert whole("n", np.int64(3)) == 3
    assert number("x", np.float32(0.5)) == 0.5


@pytest.mark.parametrize("value", ["", "  ", 3, None])
def test_text_refuses_what_is_no_text(value):
    with pytest.raises(InputError, match="name"):
        text("name", value)


def test_text_may_be_empty_where_it_says_so():
    assert text("note", "", empty=True) == ""
