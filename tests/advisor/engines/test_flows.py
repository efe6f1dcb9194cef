"""What all of these files have in common: whatever names and commands hold comes back as data."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from advisor.engines import nextflow, parsl, pegasus, snakemake, snakemake_profile
from advisor.engines import wfformat_engine as wfformat
from advisor.engines.engine import Engine
from machines.errors import InputError
from tests.advisor.engines.dozen import NAMES, jobs

ENGINES = [one.ENGINE for one in (snakemake, snakemake_profile, parsl, nextflow, pegasus, wfformat)]
named = pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)


@named
def test_names_and_commands_come_back_as_they_are(engine: Engine) -> None:
    text = engine.render(jobs())
    assert engine.parse(text) == engine.says(jobs())
    assert "pwned" not in re.sub(r"touch[_ ]pwned|FILL IN", "", text)


@named
def test_another_machine_is_read_back_as_another(engine: Engine) -> None:
    said = jobs()
    first = said.jobs[0]
    other = next(name for name, _, _ in said.machines if name != first.machine)
    moved = replace(said, jobs=(replace(first, machine=other), *said.jobs[1:]))
    assert engine.parse(engine.render(moved)) != engine.says(said)


@named
@pytest.mark.parametrize("text", ["", "nothing of it", "{}", "[", "\0", "process {", "a: [1"])
def test_anything_else_is_refused_or_says_something_else(engine: Engine, text: str) -> None:
    try:
        assert engine.parse(text) != engine.says(jobs())
    except InputError as error:
        assert str(error)


@named
def test_a_cut_file_is_refused_or_says_something_else(engine: Engine) -> None:
    whole, said = engine.render(jobs()), engine.says(jobs())
    for share in (0.2, 0.5, 0.8, 0.99):
        try:
            assert engine.parse(whole[: int(share * len(whole))]) != said
        except InputError as error:
            assert str(error)


@pytest.mark.parametrize(
    ("engine", "marks"), [(snakemake.ENGINE, 12), (parsl.ENGINE, 12), (pegasus.ENGINE, 12)],
    ids=lambda value: getattr(value, "name", ""),
)  # fmt: skip
def test_the_places_of_commands_that_are_not_stated_are_marked(engine: Engine, marks: int) -> None:
    lacking = jobs(with_commands=False)
    text = engine.render(lacking)
    assert engine.parse(text) == engine.says(lacking)
    assert sum("FILL IN the" in line or "← FILL IN: what" in line for line in text.split("\n")) == (
        marks
    )


@named
def test_every_task_is_told_by_name_where_the_format_holds_names(engine: Engine) -> None:
    said = repr(engine.says(jobs()))
    if engine.name not in {"snakemake-profile", "nextflow"}:
        assert all(repr(name)[1:-1] in said or repr(name) in said for name in NAMES)


@named
def test_sentences_end_without_a_stop_and_say_something(engine: Engine) -> None:
    notes = engine.notes(jobs())
    assert notes
    assert all(note[0].isupper() and not note.endswith(".") for note in notes)
