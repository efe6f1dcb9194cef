"""Texts for people are plain English in the field's terms: phrases of a private dialect are banned.

`TEXTS` holds for pages, help, shipped files and what the product prints; `EVERYWHERE` for the
docstrings, too. What replaces a phrase is in the glossary (`docs/glossary.md`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.house_sizes import source

ROOT = Path(__file__).resolve().parent.parent
CODE = [
    path for part in ("machines", "advisor", "gui") for path in sorted((ROOT / part).rglob("*.py"))
]
PAGES = [
    *sorted(ROOT.glob("docs/*.md")),
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted(ROOT.glob("resources/**/*.md")),
    *sorted(ROOT.glob("resources/**/*.toml")),
]

EVERYWHERE = (
    r"executed plans?",  # contention-aware schedule
    r"endless network",  # without network contention, contention-free
    r"of before\b",  # name the thing
    r"\bshall\b",  # should, must, is to
    r"each transfer alone",  # contention-free schedule
)
TEXTS = (
    *EVERYWHERE,
    r"carr(?:y|ies|ied|ying) (?:it |them |a plan |the plan |plans |tasks )?out\b",  # run, simulate
    r"(?:plans?|is|are|were|being|be) carried out",
    r"carries (?:its|the) tasks",
    r"what it rests on",  # assumptions
    r"\b(?:is|are|be) told\b(?! apart)",  # is reported, is known
    r"\b(?:is|are) said\b",
    r"\bcan't be told(?! apart)",  # can't be determined
    r"\b(?:go|goes|going|gone) on\b(?! (?:and|the|a|to) )",  # continue, resume
    r"\bwhom\b",
    r"beside what",  # compared with
    r"set (?:logs|the plans|every)\b.*\b(?:beside|against|side by side)",  # compare
    r"\blessons? (?:of|is|are|could|that|says)\b",  # calibration
    r"\b(?:is|was|were) taught\b|\bruns teach\b|what (?:was|is|can be) learnt",  # calibrate
    r"\bis there,? (?:twice|and)\b|\bare there(?! to)\b(?! (?:no|any))",  # exists, arrives, present
    r"\b(?:is|was|be) busy \d",  # 82 % utilised
    r"busy share of",
    r"another is best",  # break-even
    r"takes as long as the runner-up",  # ties with
    r"\balike (?:to|within)\b",  # a tie
    r"reading of contention|contention reading|two readings",  # contention model
    r"\beffort (?:of|that|is)\b|rough effort",  # step budget, time limit
    r"all else as it is",  # other decisions unchanged
    r"\bis one that\b|\bare ones that\b",
    r"nobody knows",  # is unknown
    r"whatever it holds",
    r"is alike\b|are alike\b(?! and are taken)",
    r"for ever\b",  # deadlock, overflow
    r"like this Placewise|than this Placewise",  # this version of Placewise
    r"\bwork out anew\b|\bpredicted anew\b",
    r"second opinion",  # cross-check
    r"\bhangs? on\b(?! the front-end| itself| process| no| a task)",  # depends on
)
ALLOWED = {
    "advisor/published": "what papers print, and notes about that",
}


def strings(path: Path, *, texts: bool) -> Iterator[tuple[str, str]]:
    """Where and what: every literal that is no docstring, or every docstring."""
    return (
        (f"{path.relative_to(ROOT)}:{line}", text)
        for line, text, is_doc in source(path).literals
        if is_doc != texts
    )


@cache
def any_of(banned: tuple[str, ...]) -> re.Pattern[str]:
    """One pattern of all: most texts hold none."""
    return re.compile("|".join(banned), re.IGNORECASE)


def found(banned: tuple[str, ...], where: str, text: str) -> list[str]:
    """The banned phrases of a text, across its line breaks."""
    joined = " ".join(text.split())
    if not any_of(banned).search(joined):
        return []
    hits = (re.search(phrase, joined, re.IGNORECASE) for phrase in banned)
    return [f"{where}: {hit.group()!r}" for hit in hits if hit]


def excused(path: Path) -> bool:
    return any(path.is_relative_to(ROOT / place) for place in ALLOWED)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_pages_and_shipped_files_are_in_plain_words(page: Path) -> None:
    lines = enumerate(page.read_text(encoding="utf-8").splitlines(), 1)
    hits = [found(TEXTS, f"{page.name}:{number}", line) for number, line in lines]
    assert not [one for some in hits for one in some]


def test_what_the_product_prints_is_in_plain_words() -> None:
    printed = (one for path in CODE if not excused(path) for one in strings(path, texts=True))
    assert not [hit for where, text in printed for hit in found(TEXTS, where, text)]


def test_docstrings_are_in_the_terms_of_the_field() -> None:
    written = (one for path in CODE for one in strings(path, texts=False))
    assert not [hit for where, text in written for hit in found(EVERYWHERE, where, text)]


@pytest.mark.parametrize(
    "text",
    ["The executed\nplan", "Carry the plan out", "n1 is busy 82 % of 4 s", "Shall it be large?",
     "Above 2, another is best", "What it rests on", "it can't be told", "go on with some"],
)  # fmt: skip
def test_a_banned_phrase_would_be_found(text: str) -> None:
    assert found(TEXTS, "here", text)


def test_the_glossary_is_alphabetical_and_linked() -> None:
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    terms = re.findall(r"^\| ([^|]+) \| ", page, re.MULTILINE)[1:]
    assert len(terms) > 50
    assert terms == sorted(terms, key=lambda term: term.lower().replace("-", " "))
    assert "docs/glossary.md" in (ROOT / "README.md").read_text(encoding="utf-8")
