"""The examples that ship, as projects ready to open."""

from __future__ import annotations

import resources
from advisor.project.new_project import new_project
from advisor.project.project import Project
from advisor.project.workload_file import read_workload
from machines import InputError, catalogue
from machines.formats.fields import suggestion


def load_example(name: str) -> Project:
    """The example of that name as a new project.

    Raises
    ------
    InputError
        There is none; the nearest name is suggested.
    """
    known = {example.name: example for example in resources.examples()}
    if name not in known:
        raise InputError(
            "unknown example", where="examples", value=name, remedy=suggestion(name, known)
        )
    example = known[name]
    workload = read_workload(example.workload).workload
    return new_project(catalogue.load(example.platform), workload)
