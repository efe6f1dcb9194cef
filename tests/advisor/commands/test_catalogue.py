"""A catalogue is a line in the table of shelves."""

from __future__ import annotations

import pytest

from advisor.commands import catalogue
from tests.advisor.commands.asking import Capture, answer
from tests.dummies.catalogue.shelf import LISTING


@pytest.fixture(autouse=True)
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one line."""
    monkeypatch.setattr(catalogue, "CATALOGUES", (*catalogue.CATALOGUES, LISTING))


def test_a_new_catalogue_is_listed_with_the_others(capsys: Capture) -> None:
    status, out, _ = answer(capsys, "catalogue")
    assert status == 0
    lines = out.splitlines()
    assert lines.index("cable  length") + 1 == lines.index("long   30.0 m")
    assert any(line.startswith("cluster ") for line in lines)
    assert lines[-1].startswith("placewise catalogue NAME prints one")


def test_what_is_on_it_is_printed_by_name(capsys: Capture) -> None:
    assert answer(capsys, "catalogue", "short") == (0, "short: 1.5 m\n", "")


def test_an_unknown_name_lists_it_too(capsys: Capture) -> None:
    status, _, err = answer(capsys, "catalogue", "shrt")
    assert status == 2
    assert "not in the catalogue" in err
    assert "snakemake, bash, make, nextflow, parsl, pegasus, long, short" in err
