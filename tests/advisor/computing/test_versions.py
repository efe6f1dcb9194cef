"""What must be the same at two ends, and how it is said when it is not."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from advisor.computing.versions import differences, digest, versions

OURS = (("Placewise", "1.0 (aa)"), ("Python", "3.12"), ("numba", "0.61"))


def test_it_holds_what_numbers_depend_on() -> None:
    found = dict(versions())
    assert list(found) == ["Placewise", "Python", "numpy", "numba"]
    assert found["Python"] == ".".join(map(str, sys.version_info[:2]))


@pytest.mark.parametrize(
    ("theirs", "said"),
    [
        (OURS, ()),
        (None, ("no Placewise",)),
        ((*OURS[:2], ("numba", "0.60")), ("numba 0.60 instead of 0.61",)),
        (OURS[:2], ("numba not installed instead of 0.61",)),
        (
            (("Placewise", "1.0 (bb)"), *OURS[1:]),
            ("Placewise 1.0 (bb) instead of 1.0 (aa)",),
        ),
    ],
)
def test_differences_are_said(theirs: tuple[tuple[str, str], ...], said: tuple[str, ...]) -> None:
    assert differences(OURS, theirs) == said


def test_a_changed_source_changes_the_digest(tmp_path: Path) -> None:
    source = tmp_path / "advisor" / "inner" / "one.py"
    source.parent.mkdir(parents=True)
    digests = []
    for text in ("a", "b", "a"):
        source.write_text(text, encoding="utf-8")
        digests.append(digest.__wrapped__(tmp_path))
    source.rename(source.with_name("two.py"))
    digests.append(digest.__wrapped__(tmp_path))
    assert digests[0] == digests[2]
    assert len(set(digests)) == 3
