"""The examples that ship, as projects ready to open."""

from __future__ import annotations

import resources
from advisor.project.project import Project, new_project
from advisor.project.workload_file import read_workload
from machines import catalogue
from machines.catalogue.shelf import known


def load_example(name: str) -> Project:
    """The example of that name as a new project."""
    found = {example.name: example for example in resources.examples()}
    known(name, found, "example", "examples")
    example = found[name]
    workload = read_workload(example.workload).workload
    return new_project(catalogue.load(example.platform), workload)


def example_titles() -> tuple[tuple[str, str, str], ...]:
    """(name, title, description) of every example."""
    return tuple((one.name, one.title, one.description) for one in resources.examples())
