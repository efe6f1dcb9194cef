"""The TOML writer against the standard library's reader."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from machines import InputError, files
from machines.formats import toml_text

_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
_scalars = st.booleans() | st.integers(-(2**60), 2**60) | st.floats(allow_nan=False) | _texts
_values = st.recursive(
    _scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_texts, inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(_texts, _values, max_size=4))
def test_what_is_dumped_is_parsed_back(document: dict[str, object]) -> None:
    assert toml_text.parse(toml_text.dump(document), "x") == document


def test_lists_of_tables_become_sections_with_their_own_sections() -> None:
    document = {"a": [{"n": 1, "b": [{"x": 1.5}], "t": {"k": "v"}}], "last": None, "c": 2}
    text = toml_text.dump(document)
    assert "[[a]]" in text
    assert "[[a.b]]" in text
    assert tomllib.loads(text) == {"a": [{"n": 1, "b": [{"x": 1.5}], "t": {"k": "v"}}], "c": 2}


def test_a_table_of_tables_becomes_a_section() -> None:
    inner = {"kind": "mesh", "short": {"L": 1.5}, "list": [{"x": 1}]}
    document = {"m": [{"name": "one", "net": inner, "speed": 2.0}, {"name": "two"}]}
    text = toml_text.dump(document)
    lines = [line.strip() for line in text.splitlines()]
    assert "[m.net]" in lines
    assert "short = { L = 1.5 }" in lines
    assert lines.index("speed = 2.0") < lines.index("[m.net]")
    assert tomllib.loads(text) == document


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a = 1\nb", r"f\.toml: not valid TOML.*TOML has lines of name = value"),
        ("a = b\n", r"f\.toml: not valid TOML.*line 1"),
        ("a = 1\na = 2", "not valid TOML"),
        ("a = " + "9" * 5000, "too many digits"),
        ("a = " + "[" * 5000, "nested too deep"),
    ],
)
def test_defects_are_told_with_the_file(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        toml_text.parse(text, "f.toml")


@pytest.mark.parametrize(
    "text",
    [
        ".".join(["a"] * 20_000) + " = 1\n",
        "[" + ".".join(["a"] * 20_000) + "]\n",
        "[[" + " . ".join(['"a b"'] * 20_000) + "]]\n",
        "x = {" + ".".join(["a"] * 20_000) + " = 1}",
        "y = 1\n\n  " + ".".join(["'a'"] * 20_000) + " = 1\n",
    ],
    ids=["key", "table", "list of tables", "inline", "third line"],
)
def test_a_key_of_many_parts_is_refused_before_it_is_read(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(toml_text.tomllib, "loads", lambda _: pytest.fail("it was read"))
    line = 1 + text.count("\n", 0, text.rindex("a"))
    with pytest.raises(
        InputError, match=f"^f: line {line}: a key has some 20,000 parts"
    ) as refused:
        toml_text.parse(text, "f")
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize(
    "text", ['x = "' + "a." * 500 + '"', "a.b.c.d = 1", "x = [" + "1.5, " * 200 + "]"]
)
def test_dots_elsewhere_are_no_parts_of_a_key(text: str) -> None:
    assert toml_text.parse(text, "f") == tomllib.loads(text)


def test_tables_that_would_take_more_than_a_gibibyte_are_refused_before_they_are_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(toml_text.tomllib, "loads", lambda _: pytest.fail("it was read"))
    monkeypatch.setattr(files, "MOST_MEMORY", 2**20)
    text = "[a]\n" * 1_200
    with pytest.raises(InputError, match=r"^f: .* needs some 1\.\d GiB of memory.*JSON"):
        toml_text.parse(text, "f")
