"""The answer, above the board: what is reached, who runs where, how sure that is, and Apply.

Below it three tiles: what limits, what others cost, what tips it over. "Why?" opens the reasons.
"""

from __future__ import annotations

from html import escape

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from advisor.advice.places import Place, places_of
from advisor.allocation.objectives import WITHIN
from advisor.basics.units import durations
from advisor.studies.what_if.tipping import tipping
from gui.basics.background_jobs import LatestWins
from gui.basics.error_messages import first_sentence, sentence
from gui.basics.steady import SteadyLine
from gui.basics.theme import GRID
from gui.basics.tips import plain_tip
from gui.document.advise import Advice, Advisor, Phase
from gui.document.document import Document, Outcome, Selection
from gui.document.expectations import Expectations
from gui.panels.machine_chips import Chip, MachineChips

_ASK = "Press Advise to search for the best plan"
_UNDER_WAY = {
    Phase.WAITING: "predicting …",
    Phase.SEARCHING: "searching …",
    Phase.EXPLAINING: "working out the reasons …",
}
_TILES = {
    "expect": ("Expect", "What the plan takes where numbers are not known exactly"),
    "limit": ("What limits", "What the recommended plan spends most of its time on"),
    "others": ("What others cost", "What it would take less without contenders and other load"),
    "tips": ("What tips it over", "The nearest change of a load that makes another plan better"),
}
_SHARES = {"expect": 30, "limit": 19, "others": 20, "tips": 31}  # of the row, by what they say
_OF_ADVICE = ("limit", "others", "tips")
_RESULT = "What the plan takes, and what the present one takes"
_REFUSAL = 44 * GRID  # width that an error may take of the row


class Tile(QFrame):
    """A question and its answer in a few words, the whole sentence in the tooltip."""

    def __init__(self, name: str) -> None:
        super().__init__()
        title, self._hint = _TILES[name]
        self.titles = title, title.removeprefix("What ").capitalize()
        self.setObjectName(f"answer.{name}_tile")
        self.setProperty("role", "fact")
        self.title = QLabel(title)
        self.title.setProperty("role", "muted")
        self.value = SteadyLine(f"answer.{name}")
        self.value.setAccessibleName(title)
        line = QHBoxLayout(self)
        line.setContentsMargins(GRID, 0, GRID, 0)
        line.addWidget(self.title)
        line.addWidget(self.value, 1)

    def needed(self, short: bool) -> int:
        """Pixels that show all of it, with the short title or the whole one."""
        metrics = self.value.fontMetrics()
        words = metrics.horizontalAdvance(self.titles[short] + self.value.text())
        return words + 5 * GRID

    def tell(self, words: str, whole: str, fresh: bool) -> None:
        """Show the words; an older answer is muted."""
        self.value.setText(words)
        tip = plain_tip(whole or self._hint)
        for widget in (self, self.title, self.value):
            widget.setToolTip(tip)
        self.value.setEnabled(fresh)


class AnswerStrip(QFrame):
    """Two rows over the whole width of the window."""

    pointed = Signal(object)  # frozenset of tasks to outline
    why_asked = Signal()

    def __init__(
        self,
        document: Document,
        advisor: Advisor,
        expectations: Expectations | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._expectations = expectations or Expectations(document, self)
        self.setObjectName("answer")
        self.setAccessibleName("Answer")
        self._document, self._advisor = document, advisor
        self._placing = LatestWins(self, "who runs where")
        self.result = QLabel()
        self.chips = MachineChips()
        self.certainty = QLabel()
        self.apply = QPushButton("Apply")
        self.why = QPushButton("Why?")
        self.tiles = {name: Tile(name) for name in _TILES}
        self.assumed = SteadyLine("answer.assumed")
        self._tipping = LatestWins(self, "guessed figures")
        self._lay_out()
        self._connect()
        self._show()

    def close_jobs(self) -> None:
        """End the background work."""
        self._placing.close()
        self._tipping.close()
        self._expectations.close_jobs()

    def minimumSizeHint(self) -> QSize:
        """As narrow as the window can be."""
        return QSize(60 * GRID, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The tiles have other room."""
        super().resizeEvent(event)
        self._share_out()

    def _share_out(self) -> None:
        """Tiles have their usual shares of the row, or what they need where one would be cut.

        Where that is too much their titles are short.
        """
        tiles, usual = self.tiles.values(), list(_SHARES.values())
        room = sum(tile.width() for tile in tiles)
        short = sum(tile.needed(short=False) for tile in tiles) > room
        needed = [tile.needed(short) for tile in tiles]
        for tile in tiles:
            tile.title.setText(tile.titles[short])
        fits = all(own <= room * share / 100 for own, share in zip(needed, usual, strict=True))
        for place, share in enumerate(usual if fits else needed):
            self._second.setStretch(place, share)

    def _lay_out(self) -> None:
        for widget, name, hint in (
            (self.result, "result", _RESULT),
            (self.certainty, "certainty", "How good the plan is known to be"),
            (self.apply, "apply", "Make this the current plan; one undo step"),
            (self.why, "why", "The reasons: savings by cause, ties, break-even loads"),
        ):
            widget.setObjectName(f"answer.{name}")
            widget.setToolTip(hint)
            widget.setAccessibleDescription(hint)
        self.apply.setProperty("primary", True)
        self.certainty.setProperty("role", "muted")
        self.result.setTextFormat(Qt.TextFormat.RichText)
        for label in (self.result, self.certainty):
            label.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        first, second = QHBoxLayout(), QHBoxLayout()
        first.addWidget(self.result)
        first.addWidget(self.chips, 1)
        first.addWidget(self.certainty)
        first.addWidget(self.apply)
        for name, tile in self.tiles.items():
            second.addWidget(tile, _SHARES[name])
        second.addWidget(self.why)
        self._second = second
        rows = QVBoxLayout(self)
        rows.setContentsMargins(GRID, GRID // 2, GRID, GRID // 2)
        rows.setSpacing(GRID // 2)
        rows.addLayout(first)
        rows.addLayout(second)
        self.assumed.setAccessibleName("What the answer depends on")
        rows.addWidget(self.assumed)
        self.assumed.hide()

    def _connect(self) -> None:
        document, advisor = self._document, self._advisor
        self.apply.clicked.connect(advisor.apply)
        self.why.clicked.connect(self.why_asked)
        self.chips.pointed.connect(self.pointed)
        self.chips.chosen.connect(self._select)
        for told in (
            advisor.advised,
            advisor.progress,
            advisor.phase_changed,
            advisor.failed,
            document.changed,
            document.outcome_changed,
            document.outcome_failed,
            document.replaced,
            self._expectations.changed,
        ):
            told.connect(self._show)
        advisor.advised.connect(self._place)
        advisor.progress.connect(self._place)
        advisor.phase_changed.connect(self._place)
        document.outcome_changed.connect(self._place)
        document.replaced.connect(self._forget_places)
        self._placing.done.connect(self._show_places)
        advisor.advised.connect(self._ask_guesses)
        self._tipping.done.connect(self._tell_guesses)

    def _show(self, _what: object = None) -> None:
        """The answer to the present question, or how far it is; an older one is muted."""
        advice, advisor = self._advisor.advice, self._advisor
        fresh = advice is not None and advice.answers(self._document.project)
        better = advisor.better
        self.result.setText(f"<span>{self._result()}</span>")
        error = advisor.error
        self.result.setToolTip(_RESULT if error is None else plain_tip(sentence(error)))
        self.result.setEnabled(advisor.error is not None or self._now_s is not None)
        self.certainty.setText(self._certainty(advice if fresh else None))
        searching = advisor.phase is Phase.SEARCHING
        self.apply.setText("Apply best so far" if searching else "Apply")
        self.apply.setEnabled(better is not None)
        self.chips.setEnabled(self._now_s is not None)
        self._tell_tiles(advice, fresh and advisor.error is None)
        self._tell_odds(advice if fresh else None)
        self._share_out()

    @property
    def _now_s(self) -> float | None:
        """What the present plan takes; None: not known yet."""
        outcome, project = self._document.outcome, self._document.project
        if outcome is None or outcome.project is not project or self._advisor.error is not None:
            return None
        return outcome.prediction.value_s(project.objective)

    def _result(self) -> str:
        """What Apply reaches and what the present plan takes; only what is known now is bold."""
        advisor, now_s = self._advisor, self._now_s
        if advisor.error is not None:
            right, said = Qt.TextElideMode.ElideRight, first_sentence(advisor.error)
            return escape(self.result.fontMetrics().elidedText(said, right, _REFUSAL))
        if now_s is None:
            return "predicting …"
        better = advisor.better
        if better is not None:
            value, now = durations(better.value_s, now_s)
            return f"<big><b>{value}</b></big>{' so far' if advisor.is_busy else ''}, now {now}"
        value, *_ = durations(now_s)
        shown = f"<big><b>{value}</b></big>"
        return shown if advisor.best is None else f"{shown}, as now"

    def _certainty(self, advice: Advice | None) -> str:
        """How sure the shown value is, or what is under way."""
        advisor, now_s = self._advisor, self._now_s
        if advisor.error is not None or now_s is None:
            return ""
        best, better = advisor.best, advisor.better
        said = [_UNDER_WAY[advisor.phase]] if advisor.is_busy else []
        if best is None:
            return " ".join(said) or advisor.note or _ASK
        value_s = now_s if better is None else better.value_s
        said += ["ended early"] if advisor.note else []
        said += ["a tie"] if advice is not None and self._is_tie(advice) else []
        said.append(best.certainty(value_s))
        self.certainty.setToolTip(
            plain_tip(advisor.note or (self._proof(advice) if advice else ""))
        )
        return " · ".join(said)

    def _proof(self, advice: Advice) -> str:
        """What is proved, and what a tie means."""
        tie = (
            f"The plans differ {WITHIN}: the present one may stay. " if self._is_tie(advice) else ""
        )
        return tie + advice.explanation.proof

    def _is_tie(self, advice: Advice) -> bool:
        """Whether the plan that is shown is better than the advised one by too little to matter."""
        better = self._advisor.better
        return better is not None and not better.plan.alike(advice.plan)

    def _tell_tiles(self, advice: Advice | None, fresh: bool) -> None:
        if advice is None:
            for name in _OF_ADVICE:
                tile = self.tiles[name]
                tile.tell("…" if self._advisor.is_busy else "not known", "", False)
            return
        found = advice.explanation
        tip = found.flips[0] if found.flips else None
        limits = found.apart.partition(":")[0] or found.limits
        limit = found.apart or ("" if found.limit is None else found.limit.sentence)
        tips = tip.brief if tip is not None else found.no_flip
        self.tiles["limit"].tell(limits, limit, fresh)
        self.tiles["others"].tell(found.others.brief, found.others.sentence, fresh)
        self.tiles["tips"].tell(tips, found.flips_searched if tip is None else tip.sentence, fresh)

    def _tell_odds(self, advice: Advice | None) -> None:
        """Of the plan whose makespan is shown: the recommended one once it is explained."""
        odds = None if advice is None else advice.explanation.odds
        odds = odds or self._expectations.odds
        if odds is None:
            waits = self._expectations.is_busy or self._advisor.is_busy
            self.tiles["expect"].tell("…" if waits else "as stated", "", False)
            return
        tie = advice is not None and self._is_tie(advice)
        told = f"as now, {odds.in_short}" if tie else odds.in_short
        self.tiles["expect"].tell(told, " ".join(odds.sentences), self._now_s is not None)

    def _ask_guesses(self, advice: Advice) -> None:
        """Of opened files: which figure that none of them tells could make another plan best."""
        origins, outcome = self._document.origins, advice.outcome
        self._tell_guesses("")
        if origins is None or not origins.kinds or advice.explanation.apart:
            return
        plan, kinds = advice.recommendation.plan, origins.kinds
        objective = outcome.project.objective
        self._tipping.request(lambda stop: tipping(outcome.problem, plan, kinds, objective, stop))

    def _tell_guesses(self, words: object) -> None:
        self.assumed.setText(str(words))
        self.assumed.setToolTip(plain_tip(str(words)))
        origins = self._document.origins  # with guesses the line has its room from the start
        self.assumed.setVisible(bool(words) or bool(origins and origins.kinds))

    def _place(self, _what: object = None) -> None:
        """Work out who runs where: under the plan whose value is shown, else the present one."""
        advice, outcome = self._advisor.advice, self._document.outcome
        advised = advice is not None and advice.answers(self._document.project)
        if advice is not None and advised and not self._is_tie(advice):
            self._show_places(advice.explanation.places)
        elif isinstance(outcome, Outcome):
            better = self._advisor.better
            problem, plan = outcome.problem, outcome.project.plan if better is None else better.plan
            self._placing.request(lambda _stop: places_of(problem, plan))

    def _forget_places(self, _project: object) -> None:
        """Name no machine, and no guess, of the project before."""
        self._placing.cancel()
        self._tipping.cancel()
        self._tell_guesses("")
        self._show_places(())

    def _show_places(self, places: tuple[Place, ...]) -> None:
        self.pointed.emit(frozenset())
        self.chips.show_places(places)

    def _select(self, chip: Chip) -> None:
        """The tasks of a chip; of an idle machine the machine."""
        if chip.tasks:
            self._document.select(Selection(tasks=chip.tasks))
        elif chip.machine is not None:
            self._document.select(Selection(machine=chip.machine))
