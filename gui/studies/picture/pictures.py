"""The pictures that studies bring along, and which view draws which of them.

A study's result may carry values with views of their own: a mapping on its network, the chart of a
wavefront. A view is imported when its first picture comes, or before, on a thread. A new picture
is one line in `VIEWS`.
"""

from __future__ import annotations

import importlib
from collections.abc import Generator
from typing import NamedTuple, cast

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget


class View(NamedTuple):
    """Where the view of a picture is, and the title of its tab."""

    module: str
    name: str
    title: str


# type of the picture → its view
VIEWS = {
    "advisor.messages.mapping.mapping_picture.MappingPicture": View(
        "gui.studies.mesh.mapping_view", "MappingView", "Mapping"
    ),
    "advisor.trees.tree_picture.TreePicture": View(
        "gui.studies.tree.tree_view", "TreeView", "Tree"
    ),
    "advisor.messages.diamond_blocks.Gantt": View(
        "gui.studies.wavefront.wavefront_view", "GanttView", "Gantt chart"
    ),
    "advisor.trees.fanout_map.FanoutMap": View(
        "gui.studies.fanout.fanout_view", "FanoutMapView", "Fan-outs"
    ),
}


class PictureView(QWidget):
    """Draws the pictures of one type; what the user changes in them comes as `edited`."""

    edited = Signal(object)  # {name of a parameter: value}

    @classmethod
    def in_parts(cls) -> Generator[None, None, PictureView]:
        """Make one; other events may come at each yield."""
        yield
        return cls()

    def set_picture(self, picture: object) -> None:
        """Show `picture`, keeping the part of it that is looked at."""
        raise NotImplementedError

    def set_dimmed(self, dimmed: bool) -> None:
        """Show an old picture dimmed until a new one comes."""
        raise NotImplementedError


def picture_title(picture: object) -> str:
    """The title of a picture's tab; empty when nothing draws such a value."""
    view = VIEWS.get(_type_name(picture))
    return "" if view is None else view.title


def load_views() -> None:
    """Import what draws the pictures, and make none: on any thread."""
    for view in VIEWS.values():
        importlib.import_module(view.module)


def make_view(picture: object) -> Generator[None, None, PictureView]:
    """Make a view for pictures of the type of `picture`; KeyError when nothing draws it."""
    view = VIEWS[_type_name(picture)]
    found = cast("type[PictureView]", getattr(importlib.import_module(view.module), view.name))
    return found.in_parts()


def _type_name(picture: object) -> str:
    return f"{type(picture).__module__}.{type(picture).__qualname__}"
