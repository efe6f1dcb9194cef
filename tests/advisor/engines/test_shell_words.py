"""Words of scripts: what is written is what a shell and we ourselves read."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.engines.shell_functions import RECORD
from advisor.engines.shell_words import comment, statement, statements
from advisor.runs import run_record as record
from machines import InputError

WORDS = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), max_size=20)


def said_by_bash(text: str) -> list[str]:
    found = subprocess.run(["bash", "-c", text], capture_output=True, check=True)
    return found.stdout.decode().split("\0")[:-1]


@given(st.lists(st.tuples(st.sampled_from(["task", "job"]), WORDS, WORDS)))
def test_statements_are_read_back(lines: list[tuple[str, str, str]]) -> None:
    text = "".join(comment("a comment's “$(line)”") + statement(*words) for words in lines)
    assert statements(text) == tuple(lines)


def test_bash_reads_the_same_words() -> None:
    words = ("a", "", "it's", "'", "''", '"$(x)`y`"', "two\nlines", "é😀 & \\", "#", "~", "*", "-n")
    assert said_by_bash(statement("printf", "%s\\0", *words)) == list(words)
    assert statements(statement("task", *words)) == (("task", *words),)


@pytest.mark.parametrize(
    "text",
    ["task $HOME", "task `x`", 'task "a"', "task a; rm", "task a & b", "task 'open", "task a\\ b",
     "task a >b", "task (a)", "task *", "task a\tb", "a $(x)"],
)  # fmt: skip
def test_what_a_shell_would_expand_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="line 1"):
        statements(text)


def test_the_functions_write_lines_of_a_record() -> None:
    names = ("it's", '"q", \n', "=1+1", "-x", "plain é")
    (numbers,) = said_by_bash(f"{RECORD}\nseconds 4999999; seconds -7; printf '\\0'")
    assert numbers == "4.999999-0.000007"
    cells = [said_by_bash(f"{RECORD}\n{statement('cell', name)}printf '\\0'")[0] for name in names]
    lines = "".join(f"r,{cell},M1,,,0,1,,ok\n" for cell in cells)
    (run,) = record.parse(record.header_line() + lines, "it")
    assert {one.task for one in run.tasks} == set(names)
