"""The menu that adopts a compared plan, whole or by decision, with what each would give."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from advisor.advice.gains_by_decision import AdoptedGain, signed_share, takings
from advisor.basics.stop_rule import ShouldStop
from gui.basics.background_jobs import LatestWins
from gui.basics.literal_menu import Menu, literal, mark
from gui.panels.compare_columns import Comparison, marked

_LETTERS = 64  # of a reason; all of it is in the tooltip


class AdoptedGains(QObject):
    """What the current plan gains by each kind of decision of other plans, as far as asked for."""

    arrived = Signal(object)  # str: name of the plan

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.setObjectName("takings")
        self.comparison: Comparison | None = None
        self.found: dict[str, tuple[AdoptedGain, ...]] = {}
        self._jobs = LatestWins(self, "adoption by decision")
        self._jobs.done.connect(self._take)

    def show_comparison(self, comparison: Comparison | None) -> None:
        """Forget what was found for another comparison."""
        if comparison is not self.comparison:
            self._jobs.cancel()
            self.comparison, self.found = comparison, {}

    def ask(self, name: str) -> None:
        """Work out what decisions of the plan of that name give; `arrived` tells."""
        comparison = self.comparison
        if comparison is None or name in self.found:
            return
        outcome = comparison.outcome
        project = outcome.project
        pin = next(pin for pin in project.pins if pin.name == name)

        def job(should_stop: ShouldStop) -> object:
            question = outcome.problem, project.objective
            return comparison, name, takings(*question, project.plan, pin.plan, should_stop)

        self._jobs.request(job)

    def close(self) -> None:
        """End the worker thread."""
        self._jobs.close()

    def _take(self, result: object) -> None:
        assert isinstance(result, tuple)
        comparison, name, found = result
        if comparison is self.comparison:
            self.found[name] = found
            self.arrived.emit(name)


class AdoptMenu(Menu):
    """All of a plan, then every kind of decision in which it differs from the current one.

    `takings`: knows what each gives. `chosen`: name of the plan that is meant.
    """

    adopt_asked = Signal(object)  # (name of the plan, Decision or None for all of it)

    def __init__(
        self, takings: AdoptedGains, chosen: Callable[[], str | None], parent: QWidget
    ) -> None:
        self._takings, self._chosen = takings, chosen
        self._name: str | None = None
        self._entries: dict[str, QAction] = {}
        super().__init__("Adopt", parent, lambda _menu: self._fill())
        self.setObjectName("adopt_menu")
        takings.arrived.connect(self._show_gains)

    def _fill(self) -> None:
        comparison, name = self._takings.comparison, self._chosen()
        self._name, self._entries = name, {}
        self.clear()
        if comparison is None or name is None:
            return
        whole = self.addAction("All")
        whole.setObjectName("adopt_all")
        whole.setToolTip(f"Make {name} the current plan, with all its decisions (one undo step)")
        whole.triggered.connect(lambda _on=False: self.adopt_asked.emit((name, None)))
        row = dict(comparison.rows).get(name)
        reason = dict(comparison.misfits).get(name, "")
        objective = comparison.outcome.project.objective
        _say(whole, "All", None if row is None else self._gain(row.prediction.value_s(objective)))
        if reason:
            _refuse(whole, "All", reason)
        self.addSeparator()
        for kind in comparison.differing.get(name, ()):
            entry = self.addAction(f"{kind.title}\t…")
            entry.setObjectName(f"adopt_{kind.name}")
            entry.setToolTip(
                f"{kind.help}: as in {name}, other decisions unchanged (one undo step)"
            )
            entry.triggered.connect(
                lambda _on=False, kind=kind: self.adopt_asked.emit((name, kind))
            )
            self._entries[kind.name] = entry
        self._takings.ask(name)
        self._show_gains(name)

    def _show_gains(self, name: object) -> None:
        """Say what each gives, where that is known."""
        if name != self._name:
            return
        for one in self._takings.found.get(str(name), ()):
            entry = self._entries[one.kind.name]
            if one.value_s is None:
                _refuse(entry, one.kind.title, one.reason)
            else:
                _say(entry, one.kind.title, self._gain(one.value_s))
        mark(self.actions())

    def _gain(self, value_s: float) -> float:
        """Share of the current plan's value that is saved."""
        comparison = self._takings.comparison
        assert comparison is not None
        outcome = comparison.outcome
        now_s = outcome.prediction.value_s(outcome.project.objective)
        return (now_s - value_s) / now_s if now_s > 0.0 else 0.0


def _say(entry: QAction, title: str, gain: float | None) -> None:
    entry.setText(title if gain is None else f"{title}\t{marked(signed_share(gain))}")


def _refuse(entry: QAction, title: str, reason: str) -> None:
    """Why it can't be adopted alone."""
    short = reason if len(reason) <= _LETTERS else f"{reason[: _LETTERS - 1].rstrip()}…"
    entry.setText(literal(f"{title}\t▲ {short}"))
    entry.setToolTip(reason)
    entry.setEnabled(False)
