"""Cases of studies: edits of them, their file, and what becomes of their subjects."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from advisor.project.case_edits import (
    add_case,
    case_of,
    cases_of,
    duplicate_case,
    free_name,
    remove_case,
    rename_case,
    with_figures,
    with_settings,
)
from advisor.project.overlay_edits import with_overlay
from advisor.project.project import Project
from advisor.project.project_edits import with_machine, with_task
from advisor.project.project_file import dump_project, parse_project
from advisor.project.study_case import Figure, StudyCase, Subject
from machines import InputError
from tests.campaign import campaign

FIGURES = (Figure("time per message", 1170.0, "cycle"), Figure("messages", 100.0))


def project() -> Project:
    """With two cases of styles and one of trees."""
    found = add_case(
        campaign(),
        StudyCase("fft", "styles", (("reach", "3"),), Subject("task", "fft"), FIGURES),
    )
    found = add_case(found, StudyCase("far", "styles"))
    return add_case(found, StudyCase("fft", "trees", (), Subject("overlay", "monitor")))


def names(found: Project, study: str = "styles") -> list[str]:
    return [case.name for case in cases_of(found, study)]


def test_cases_are_written_and_read_back() -> None:
    assert parse_project(dump_project(project())) == project()


def test_a_project_without_cases_is_written_as_before() -> None:
    assert "cases" not in json.loads(dump_project(campaign()))


def test_a_case_is_renamed_duplicated_and_removed_within_its_study() -> None:
    found = rename_case(project(), "styles", "far", "near")
    assert names(found) == ["fft", "near"]
    found = duplicate_case(found, "styles", "fft")
    assert names(found) == ["fft", "fft 2", "near"]
    copy, original = (case_of(found, "styles", name) for name in ("fft 2", "fft"))
    assert replace(copy, name="fft") == original
    assert names(remove_case(found, "styles", "fft")) == ["fft 2", "near"]
    assert names(found, "trees") == ["fft"]


def test_a_name_that_is_taken_is_refused_and_a_free_one_found() -> None:
    with pytest.raises(InputError, match="another case of this study has this name"):
        rename_case(project(), "styles", "far", "fft")
    with pytest.raises(InputError, match="another case"):
        add_case(project(), StudyCase("fft", "styles"))
    assert free_name(project(), "styles", "fft") == "fft 2"
    assert free_name(project(), "blocks", "fft") == "fft"
    with pytest.raises(InputError, match="no such case") as told:
        remove_case(project(), "styles", "nothing")
    assert "study styles" in str(told.value)


def test_other_settings_take_the_old_figures_away() -> None:
    found = with_settings(project(), "styles", "fft", {"reach": "5", "mapping": "snake"})
    case = case_of(found, "styles", "fft")
    assert case.settings == (("mapping", "snake"), ("reach", "5"))
    assert case.figures == ()
    assert with_settings(project(), "styles", "fft", {"reach": "3"}) == project()
    assert (
        case_of(with_figures(found, "styles", "fft", FIGURES), "styles", "fft").figures == FIGURES
    )


def test_what_a_case_looks_at_is_renamed_with_it() -> None:
    found = project()
    task = replace(found.workload.tasks[0], name="transform")
    overlay = replace(found.workload.overlays[0], name="watch")
    found = with_overlay(with_task(found, 0, task), 0, overlay)
    assert case_of(found, "styles", "fft").subject == Subject("task", "transform")
    assert case_of(found, "trees", "fft").subject == Subject("overlay", "watch")
    found = add_case(found, StudyCase("net", "styles", subject=Subject("machine", "grid")))
    found = with_machine(found, 0, replace(found.platform.machines[0], name="torus"))
    assert case_of(found, "styles", "net").subject == Subject("machine", "torus")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"study": "stiles"}, 'case "fft".*unknown study.*Did you mean "styles"'),
        ({"settings": ["reach"]}, 'case "fft".*settings must be a table'),
        ({"settings": {"reach": 3}}, 'case "fft".*reach must be a text'),
        ({"subject": {"file": "x"}}, 'case "fft".*unknown key "file"'),
        ({"subject": {}}, 'case "fft".*a subject is one thing'),
        ({"figures": [{"name": "x", "value": "1"}]}, 'case "fft".*value must be a number'),
        ({"figure": []}, 'case "fft".*unknown key "figure"'),
        ({"name": "far"}, 'case "far".*two cases of a study have one name'),
    ],
)
def test_what_is_wrong_with_a_case_is_told_with_its_place(
    change: dict[str, object], message: str
) -> None:
    document = json.loads(dump_project(project()))
    document["cases"][0] |= change
    with pytest.raises(InputError, match=message):
        parse_project(json.dumps(document))
