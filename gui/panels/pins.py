"""The plans that a project keeps beside the current one: each change of them is one undo step."""

from __future__ import annotations

from dataclasses import replace

from advisor.allocation.plan import Plan
from advisor.decisions.decision import Decision
from advisor.project.project import Pin, Project
from gui.document.document import Document
from gui.document.same_question import same_question
from gui.panels.compare_columns import free_name


class Pins:
    """The pins of a document, by their names; it remembers for which question each was pinned."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._asked: dict[str, Project] = {}
        document.changed.connect(self._note)
        document.loaded.connect(self._start_over)
        self._note(document.project)

    @property
    def before_change(self) -> frozenset[str]:
        """Those that were pinned for other tasks, machines or readings than there are now."""
        project = self._document.project
        return frozenset(
            pin.name for pin in project.pins if not same_question(self._asked[pin.name], project)
        )

    def add(self, wanted: str, plan: Plan) -> None:
        """Pin a plan; a name already taken gets a number."""
        pins = self._document.project.pins
        name = free_name(wanted, (pin.name for pin in pins))
        self._asked[name] = self._document.project
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
        self._asked[free] = self._asked[name]
        renamed = tuple(replace(pin, name=free) if pin.name == name else pin for pin in pins)
        self._set(renamed, f"Rename {name} to {free}")

    def _note(self, project: Project) -> None:
        """Pins that come otherwise, as by a file, are taken to be of what is open."""
        for pin in project.pins:
            self._asked.setdefault(pin.name, project)

    def _start_over(self, project: Project) -> None:
        self._asked.clear()
        self._note(project)

    def _set(self, pins: tuple[Pin, ...], text: str) -> None:
        self._document.apply(replace(self._document.project, pins=pins), text)
