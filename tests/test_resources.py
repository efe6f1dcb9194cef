"""What ships: every example opens, and the generated ones are what their script makes."""

from __future__ import annotations

import re

import pytest

import resources
from advisor.project.workload_file import dump_workload, parse_workload, read_workload
from gui.shell.help import PAGES
from machines import catalogue
from resources import make_examples

EXAMPLES = {example.name: example for example in resources.examples()}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_reads_and_names_a_preset(name: str) -> None:
    example = EXAMPLES[name]
    workload = read_workload(example.workload).workload
    assert parse_workload(dump_workload(workload)) == workload
    machines = set(catalogue.load(example.platform).index)
    named = {machine for task in workload.tasks for machine in task.allowed or ()}
    named |= {machine for task in workload.tasks for machine, _ in task.seconds}
    assert named <= machines
    assert example.title
    assert example.description.endswith(".")


def test_every_workload_that_ships_is_offered() -> None:
    home = resources.folder("examples")
    shipped = {path.name for path in home.iterdir()} - {"examples.toml"}
    assert shipped == {example.workload.name for example in EXAMPLES.values()}


@pytest.mark.parametrize("name", make_examples.MOSAICS)
def test_the_mosaics_are_what_their_script_makes(name: str) -> None:
    text = EXAMPLES[name].workload.read_text(encoding="utf-8")
    assert text == make_examples.mosaic(name, *make_examples.MOSAICS[name])


def test_every_page_of_the_help_is_listed_once_and_leads_somewhere() -> None:
    names = [name for name, _ in PAGES]
    pages = {
        path.stem: path.read_text(encoding="utf-8") for path in resources.folder("help").iterdir()
    }
    assert sorted(names) == sorted(pages)
    for text in pages.values():
        assert set(re.findall(r"\]\(([a-z]+)\.md\)", text)) <= set(names)


def test_titles_count_their_tasks_right() -> None:
    for name in make_examples.MOSAICS:
        count = len(read_workload(EXAMPLES[name].workload).workload.tasks)
        assert f"{count:,} tasks" in EXAMPLES[name].title
