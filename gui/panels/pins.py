"""The plans that a project keeps beside the current one: each change of them is one undo step."""

from __future__ import annotations

from dataclasses import replace

from advisor.allocation.plan import Plan
from advisor.decisions.decision import Decision
from advisor.project.project import Pin
from gui.document.document import Document
from gui.panels.compare_columns import free_name


class Pins:
    """The pins of a document, by their names."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def add(self, wanted: str, plan: Plan) -> None:
        """Pin a plan; a name already taken gets a number."""
        pins = self._document.project.pins
        name = free_name(wanted, (pin.name for pin in pins))
        self._set((*pins, Pin(name, plan)), f"Pin {name}")

    def adopt(self, name: str, kind: Decision | None = None) -> None:
        """Make the pin of that name the current plan, or one kind of its decisions."""
        project = self._document.project
        pin = next((pin for pin in project.pins if pin.name == name), None)
        if pin is None:
            return
        plan = pin.plan if kind is None else kind.taken(project.plan, pin.plan)
        text = f"Adopt {name}" if kind is None else f"Adopt {kind.title.lower()} of “{name}”"
        if plan != project.plan:
            self._document.adopt(plan, text)

    def remove(self, name: str) -> None:
        """Forget a pin."""
        pins = self._document.project.pins
        self._set(tuple(pin for pin in pins if pin.name != name), f"Unpin {name}")

    def rename(self, name: str, new: str) -> None:
        """Give a pin another name; one already taken gets a number."""
        pins = self._document.project.pins
        new = new.strip()
        if not new or new == name:
            return
        free = free_name(new, (pin.name for pin in pins if pin.name != name))
        renamed = tuple(replace(pin, name=free) if pin.name == name else pin for pin in pins)
        self._set(renamed, f"Rename {name} to {free}")

    def _set(self, pins: tuple[Pin, ...], text: str) -> None:
        self._document.apply(replace(self._document.project, pins=pins), text)
