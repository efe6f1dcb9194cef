"""The error family: message, place, exit status, transport between processes."""

import pickle

import pytest

from machines import InfeasibleError, InputError, PlacewiseError
from machines.checks import number, plain_name, repeated, text, whole
from machines.errors import readable, shown_value
from machines.formats.fields import table


def test_a_message_names_place_value_and_remedy():
    error = InputError("speed is out of range", where='machine "M1"', value=-1, remedy="Above 0")
    assert str(error) == 'machine "M1": speed is out of range (got -1). Above 0'


def test_a_message_without_the_rest_is_the_fact_alone():
    assert str(InputError("no tasks")) == "no tasks"


def test_a_long_value_is_cut():
    assert len(str(InputError("odd", value="x" * 500))) < 100


HUGE = "x" * 1_000_000


@pytest.mark.parametrize("part", ["what", "where", "value", "remedy"])
def test_every_part_of_a_message_is_of_readable_length_and_says_what_is_left_out(part):
    error = InputError(**{"what": "odd"} | {part: f"begin{HUGE}end"})
    assert len(str(error)) < 1100
    assert "…(1,000,008 characters)…" in str(error)
    assert "begin" in str(error)
    assert "end" in str(error)


def test_places_are_cut_piece_by_piece_so_that_the_file_is_told_and_the_count_is_right():
    error = InputError("odd", where=f'task "{HUGE}"').at("w.toml").at("p.placewise")
    assert str(error).startswith('p.placewise: w.toml: task "xxx')
    assert "(1,000,007 characters)" in str(error)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize(
    "evil", ["\x1b[31m", "a\nplacewise: b", "\u202etxt.exe", "\u2066", "\x9b2J", "\x00", "\ud800"]
)
def test_nothing_in_a_message_steers_a_terminal_or_turns_text_around(evil):
    error = InputError(evil, where=evil, value=evil, remedy=evil).at(evil)
    for shown in (str(error), error.what, error.where, error.remedy, shown_value([evil])):
        assert not set(shown) & set("\x1b\n\x9b\x00\u202e\u2066\ud800")
        shown.encode()
    assert readable(evil).startswith(("\\u", "a\\u000a"))


@pytest.mark.parametrize(
    "value",
    [10**5000, [10**5000], {"a": 1 << 20_000}, list(range(10**6)), {"k" * 10**6: ["v" * 10**6]},
     (HUGE,), {HUGE}],
    ids=["digits", "digits in a list", "hex", "list", "nested", "tuple", "set"],
)  # fmt: skip
def test_any_value_can_be_shown_shortly(value):
    assert len(str(InputError("odd", value=value))) < 150


def test_a_key_of_a_million_letters_is_told_without_being_compared_letter_by_letter(monkeypatch):
    compared = []
    monkeypatch.setattr(
        "machines.formats.fields.difflib.get_close_matches",
        lambda word, *_, **__: compared.append(len(word)) or [],
    )
    with pytest.raises(InputError, match="1,000,014 characters"):
        table({HUGE: 1}, ("name",), "machine 1")
    assert max(compared) <= 200


@pytest.mark.parametrize(
    "name",
    ["A", "mProject_ID0001", "Aufgabe (2)", "größer → kleiner", "задача", "任务 1", "مهمة",
     "कार्य", "👩\u200d🔬", "می\u200cخواهم", "x" * 4096, "a>b", "it's \"quoted\""],
)  # fmt: skip
def test_ordinary_names_of_any_script_are_welcome(name):
    assert plain_name("name", name) == name


@pytest.mark.parametrize(
    "name",
    [" A", "A ", "a  b", "a\u00a0b", "a\u202fb", "a\u3000b", "\u2007", "a\tb", "a\nb",
     "a\r", "\x1b[0m", "a\u202eb", "a\u2066b", "a\u200bb", "a\u2028b", "a\ufeff", "a\xadb", "a\x7f",
     "a\x85b", "\ud800", "x" * 4097, "", " ", 3, None],
)  # fmt: skip
def test_names_that_can_not_be_told_apart_by_eye_are_refused_with_place_and_remedy(name):
    with pytest.raises(InputError, match=r"^task: name") as refused:
        plain_name("name", name, where="task")
    assert refused.value.remedy or "must be a non-empty text" in str(refused.value)


def test_a_long_value_of_unseen_letters_tells_how_many_it_had():
    told = str(InputError("odd", value="\x1b\udc92" * 500))
    assert "(1,000 characters)" in told
    assert told.isprintable()


def test_the_first_name_that_comes_again_is_found_in_one_walk():
    walked = iter(["a", "b", "a", "b", *range(10)])
    assert repeated(walked) == "a"
    assert next(walked) == "b"
    assert repeated("abc") is None


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


def test_a_place_that_an_error_names_itself_is_not_said_twice() -> None:
    error = InputError("odd", where='machine "M"')
    assert error.at('machine "M"').where == 'machine "M"'
    assert error.at("file").at("file").where == 'file: machine "M"'
