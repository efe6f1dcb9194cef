"""Shelves of shipped files: names in order, each file read once, unknown names told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from machines import InputError
from tests.dummies.catalogue.shelf import CABLES


def test_files_are_offered_by_name_after_those_that_lead() -> None:
    assert CABLES.names() == ("long", "short")
    assert replace(CABLES, first=lambda: ["short"]).names() == ("short", "long")
    assert replace(CABLES, index="long.toml").names() == ("short",)
    assert replace(CABLES, suffix=".csv").names() == ()


def test_a_file_is_read_when_it_is_first_asked_for() -> None:
    read: list[str] = []
    shelf = replace(CABLES, read=lambda path: read.append(path.name) or float(len(read)))
    assert shelf.names()
    assert read == []
    assert (shelf.load("long"), shelf.load("short"), shelf.load("long")) == (1.0, 2.0, 1.0)
    assert read == ["long.toml", "short.toml"]


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError, match=r'catalogue: unknown cable.*Did you mean "short"'):
        CABLES.load("shrt")
    with pytest.raises(InputError, match="Known: long, short"):
        CABLES.path("../catalogue/short")
