"""A report is one well-formed file that needs nothing else, whatever things are called."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

import resources
from advisor.allocation.objectives import OBJECTIVES
from advisor.allocation.plan import Plan
from advisor.allocation.timeline_modes import SHARINGS
from advisor.allocation.workload import Task, Workload
from advisor.export.report_page.html import html
from advisor.export.report_page.sections import SECTIONS, page_of
from advisor.project.examples import load_example
from advisor.project.project import Project
from machines import Machine, Platform
from tests.advisor.export.report_page.asked import (
    SVG,
    XHTML,
    clustered,
    made,
    many,
    read,
    renamed,
    section,
    text_of,
    unsearched,
    words,
)
from tests.conftest import two_machines

HOSTILE = ("<script>alert(1)</script>", "<&>\"']]>--><svg onload=x>", "&amp;}</style>{}%s$`\\",
           "שלוםﷺ😀")  # fmt: skip


def test_it_is_a_page_with_a_language_a_title_and_one_first_heading() -> None:
    root = read(made(two_machines(2)))
    assert root.tag == f"{XHTML}html"
    assert root.get("lang") == "en"
    assert words(next(root.iter(f"{XHTML}title"))) == "A then B – Placewise"
    assert [words(one) for one in root.iter(f"{XHTML}h1")] == ["A then B"]
    assert root.find(f"{XHTML}body/{XHTML}main") is not None


def test_headings_go_down_one_step_at_a_time() -> None:
    root = read(clustered())
    levels = [int(one.tag[-1]) for one in root.iter() if re.fullmatch(rf"{XHTML}h\d", one.tag)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    for element in root.iter(f"{XHTML}section"):
        (heading,) = element.findall(f"{XHTML}h2")
        assert element.get("aria-labelledby") == heading.get("id")


def test_every_link_leads_to_a_section_and_names_are_there_once() -> None:
    root = read(made(two_machines(2)))
    names = [one.get("id") for one in root.iter() if one.get("id")]
    assert len(set(names)) == len(names)
    links = [one.get("href", "") for one in root.iter(f"{XHTML}a")]
    assert [link[1:] for link in links] == [one.get("id") for one in root.iter(f"{XHTML}section")]
    assert {link[1:] for link in links} <= {one.name for one in SECTIONS}


@pytest.mark.parametrize("sign", HOSTILE)
def test_names_stay_names(sign: str) -> None:
    plain, hostile = (read(made(renamed(two_machines(2), one))) for one in ("p" * len(sign), sign))
    assert [one.tag for one in hostile.iter()] == [one.tag for one in plain.iter()]
    assert words(section(hostile, "tables")).count(f"A{sign}x") == 1
    assert f"w{sign}x" in words(next(hostile.iter(f"{XHTML}h1")))


def test_nothing_is_fetched_and_nothing_runs() -> None:
    text, root = text_of(clustered()), read(clustered())
    for element in root.iter():
        assert element.tag not in {f"{XHTML}{tag}" for tag in ("script", "link", "img", "iframe")}
        for name, value in element.attrib.items():
            assert name not in {"src", "srcset", "data", "action"}, name
            assert not name.startswith("on"), name
            assert name != "href" or value.startswith("#")
    style = words(next(root.iter(f"{XHTML}style")))
    assert not re.search(r"url\(|@import|expression", style)
    copied = re.sub(r"<pre>.*?</pre>", "", text, flags=re.DOTALL)
    assert set(re.findall(r"https?://[^\"' <]+", copied)) == {
        "http://www.w3.org/1999/xhtml",
        "http://www.w3.org/2000/svg",
    }
    assert "default-src 'none'" in text


def test_figures_and_tables_say_what_they_are() -> None:
    root = read(clustered())
    figures = list(root.iter(f"{XHTML}figure"))
    assert len(figures) >= 4
    for figure in figures:
        picture = figure.find(f"{SVG}svg")
        assert picture is not None
        assert picture.get("role") == "img"
        assert len(picture.get("aria-label", "")) > 20
        assert figure.find(f"{XHTML}figcaption") is not None
    for table in root.iter(f"{XHTML}table"):
        columns = table.findall(f"{XHTML}thead/{XHTML}tr/{XHTML}th")
        assert {one.get("scope") for one in columns} == {"col"}
        assert all(words(one) for one in columns)
        for row in table.findall(f"{XHTML}tbody/{XHTML}tr"):
            assert len(row) == len(columns)
            assert row[0].get("scope") == "row"


def test_the_same_project_gives_the_same_text() -> None:
    project = clustered().project
    assert text_of(made(project)) == text_of(clustered())


@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("sharing", SHARINGS)
def test_the_least_that_can_be_asked_has_a_report(objective: str, sharing: str) -> None:
    for work in (0.0, 1e-30, 1e12):
        task = Task("only", work=work)
        project = Project(
            Platform("", (Machine("m"),)), Workload("", (task,)), Plan((0,)), objective,
            sharing=sharing,
        )  # fmt: skip
        root = read(made(project))
        assert words(next(root.iter(f"{XHTML}h1"))) == "Report"
        assert "nan" not in words(root)


@pytest.mark.parametrize(
    "name", [one.name for one in resources.examples() if "large" not in one.name]
)
def test_every_example_has_a_report(name: str) -> None:
    root = read(unsearched(load_example(name)))
    assert len(list(root.iter(f"{XHTML}section"))) >= 8


def test_a_date_is_there_if_the_user_gives_one() -> None:
    page = html(page_of(made(two_machines(), date="2026-11-22")))
    assert page.count("2026-11-22") == 2
    assert page.replace(" · 2026-11-22", "") != text_of(made(two_machines()))


def test_what_no_document_may_hold_is_marked() -> None:
    report = made(two_machines(), file="a\x00b￾.placewise")
    assert "a\ufffdb\ufffd.placewise" in words(read(report))


def test_thirty_thousand_tasks_make_a_page_hardly_longer_than_two_thousand_do() -> None:
    small, large = (text_of(unsearched(many(tasks))) for tasks in (2_000, 30_000))
    assert len(large) < 1.05 * len(small)
    assert len(large) < 120_000
    assert "Of 30,000 tasks the first 100 of the critical path" in large
    assert "placewise export p.placewise --to csv" in large


def test_of_many_tasks_one_by_one_the_page_stays_bounded() -> None:
    assert len(text_of(unsearched(many(600, 12)))) < 400_000
