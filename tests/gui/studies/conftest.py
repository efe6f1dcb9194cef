"""A small mapping to look at: a ring of ten processes on a mesh of twelve nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TypeVar

import pytest
from pytestqt.qtbot import QtBot

from advisor.messages.mapping.mapping_picture import MappingPicture
from advisor.studies.mapping.parameters import MappingParameters
from advisor.studies.mapping.run import run
from advisor.trees.tree_picture import TreePicture
from gui.studies.mesh.mapping_view import MappingView
from gui.studies.tree.tree_view import TreeView
from tests.gui.studies.hands import View, settled
from tests.gui.studies.tree_pictures import tree_picture

SMALL = MappingParameters(dims="4x3", pattern="ring", processes=10, seconds=0.01)
Shown = Callable[[MappingPicture], MappingView]
V = TypeVar("V", bound=View)


@lru_cache
def picture_of(parameters: MappingParameters) -> MappingPicture:
    picture = run(parameters).picture(MappingPicture)
    assert picture is not None
    return picture


@pytest.fixture
def shown(qtbot: QtBot) -> Iterator[Shown]:
    """``shown(picture)``: a view with that picture, ready."""
    yield from _shown(qtbot, MappingView)


@pytest.fixture
def view(shown: Shown) -> MappingView:
    return shown(picture_of(SMALL))


@pytest.fixture
def tree_shown(qtbot: QtBot) -> Iterator[Callable[[TreePicture], TreeView]]:
    """``tree_shown(picture)``: a view with that picture of trees, ready."""
    yield from _shown(qtbot, TreeView)


@pytest.fixture
def tree_view(tree_shown: Callable[[TreePicture], TreeView]) -> TreeView:
    return tree_shown(tree_picture())


def given(qtbot: QtBot, view: View, picture: object) -> None:
    """Give the view a picture and wait until it is in sight."""
    view.set_picture(picture)
    settled(qtbot, view)
    assert view.picture is picture


def _shown(qtbot: QtBot, kind: type[V]) -> Iterator[Callable[[object], V]]:
    views: list[V] = []

    def make(picture: object) -> V:
        view = kind()
        qtbot.addWidget(view)
        view.resize(900, 560)
        view.show()
        qtbot.waitExposed(view)
        views.append(view)
        given(qtbot, view, picture)
        return view

    yield make
    for view in views:
        view.close()
