"""Machine cards: what a machine is, how loaded it is, and what it offers the selected tasks."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from advisor.allocation.loads import SPEED, contenders_in_words, equivalent_contenders
from advisor.allocation.peaks import peak_words
from advisor.basics import quantities
from advisor.messages.networks import shape
from advisor.project.assumed import GUESSED, Origins, origins_sentence
from gui.basics.ink import RIGHT, Ink, thin
from gui.board.chips import chip_size, paint_badge, paint_chip
from gui.board.labels import name_line
from gui.board.offers import Offer
from gui.board.overlay_badges import Here, badge_rects, overlays_here, paint_badges
from gui.document.document import Outcome
from machines import Machine
from machines.resources import MEMORY

MARGIN = 4.0
GUESS = "≈"  # before a figure that no file told
PAD = 10.0
_UNLOADED = "no contenders"  # own tasks may keep it busy
_BADGE = 12.0  # around the text of the slowdown
_BEFORE_NAME = 32.0  # the triangle of a folded lane and a swatch
SWATCH = 10.0  # side of a square that says what a colour means


@dataclass(frozen=True)
class Facts:
    """What a machine card says."""

    name: str
    build: str  # "1 core · speed 0.7", "32 nodes · speed 1"
    load: str  # "2 contenders", "no contenders"
    slowdown: float
    utilisation: float
    network: str = ""  # "8 × 4 mesh"
    held: tuple[str, ...] = ()  # "2 of 2 gpu", "memory 43 GB of 64 GB"
    overlays: tuple[Here, ...] = ()
    origins: str = ""  # where its figures come from
    more: int = 0  # idle machines alike that its lane shows, too

    @property
    def title(self) -> str:
        """Its name: "n1 + 1,527" where its lane shows others, too."""
        return f"{self.name} + {self.more:,}" if self.more else self.name

    @property
    def sentence(self) -> str:
        """Everything in words, for tooltips and screen readers."""
        beside = "".join(f"; {one.texts[0]}" for one in self.overlays)
        slow = f", slowdown s {quantities.slowdown(self.slowdown)}" if self.slow else ""
        inside = f", network: {self.network}" if self.network else ""
        held = f", at most {' and '.join(self.held)} at a time" if self.held else ""
        alike = f" and {self.more:,} identical idle machines" if self.more else ""
        return (
            f"{self.name}{alike}: {self.build} (relative to the reference){inside}{held}, "
            f"{self.load}{slow}; "
            f"cores {quantities.percent(self.utilisation)} utilised until the makespan"
            f"{beside}{f'. Figures: {self.origins}' if self.origins else ''}"
        )

    @property
    def slow(self) -> bool:
        """Whether other users slow it down."""
        return self.slowdown > 1.0005


def facts_of(outcome: Outcome, origins: Origins | None = None) -> tuple[Facts, ...]:
    """The cards' contents, one for each machine; guessed figures are marked."""
    overlays = overlays_here(outcome)
    told = [() if origins is None else origins.of_machine(one) for one in _machines(outcome)]
    return tuple(
        Facts(
            name=machine.name,
            build=_build(machine, dict(told[position])),
            load=_load(machine, outcome.project.reading),
            slowdown=float(outcome.slowdowns[position]),
            utilisation=float(outcome.prediction.utilisation[position]),
            network="" if machine.network is None else shape(machine.network.network),
            held=_held(outcome, position),
            overlays=overlays[position],
            origins=origins_sentence(told[position]),
        )
        for position, machine in enumerate(_machines(outcome))
    )


def _held(outcome: Outcome, position: int) -> tuple[str, ...]:
    """The most that it holds of resources, then of memory, at a time."""
    here = [one for one in outcome.peaks if one.machine == position]
    here.sort(key=lambda one: one.kind == MEMORY)
    return tuple(words for one in here if (words := peak_words(one)))


def _build(machine: Machine, told: dict[str, str]) -> str:
    """What it is made of and its speed, each with a mark where it is a guess."""
    cores, speed = (GUESS * (told.get(figure) == GUESSED) for figure in ("cores", SPEED))
    return f"{cores}{_parts(machine)} · speed {speed}{machine.speed:g}"


def _machines(outcome: Outcome) -> tuple[Machine, ...]:
    return outcome.project.platform.machines


def _parts(machine: Machine) -> str:
    """What it is made of: nodes where it has a network, else cores."""
    if machine.network is not None:
        return quantities.count(machine.network.network.size, "node")
    return quantities.count(machine.cores, "core")


def _load(machine: Machine, reading: str) -> str:
    if machine.slowdown is not None:
        return "stated slowdown" if machine.slowdown > 1 else _UNLOADED
    if not machine.contenders:
        return _UNLOADED
    return contenders_in_words(equivalent_contenders(machine, reading))


def header_width(ink: Ink) -> float:
    """Width of the column of cards, whole pixels: columns of merged bars begin at one."""
    return float(round(max(168.0, ink.width("0" * 25, ink.small))))


def card_rect(top: float, height: float, width: float) -> QRectF:
    """The card of a lane, inside the header column."""
    return QRectF(MARGIN, top + MARGIN / 2, width - 2 * MARGIN, max(4.0, height - MARGIN))


def offer_rect(ink: Ink, card: QRectF, offer: Offer, name: str) -> QRectF:
    """Where the card shows its offer: at the lower right; empty when there is none.

    Beside the name in a low card, where both have room: the name says more.
    """
    if not offer.short:
        return QRectF()
    width, height = chip_size(ink, offer.short, offer.best, small=True)
    width = min(width, card.width() - PAD)
    left, low = card.right() - width - 6, card.bottom() - height - 6
    if card.height() > ink.line + height + 8:
        return QRectF(left, low, width, height)
    if ink.width(name, ink.bold) > left - 4 - card.left() - PAD - _BEFORE_NAME:
        return QRectF()
    return QRectF(left, card.center().y() - height / 2, width, height)


def paint_card(
    painter: QPainter,
    ink: Ink,
    card: QRectF,
    facts: Facts,
    offer: Offer,
    *,
    selected: bool,
    aimed: bool,
    indent: float = 0.0,
    busy: bool = False,
    overlay: int | None = None,
    tint: QColor | None = None,
) -> None:
    """The whole card; lines that do not fit are left out, the name last.

    `indent`: pixels before the name that something else takes.
    `busy`: write the utilisation beside the name, whatever the room below; beside a badge only
        where the name stays whole.
    `overlay`: the overlay that is selected.
    `tint`: what its tasks are coloured with: the card is their legend.
    """
    painter.setBrush(ink.surface)
    painter.setPen(thin(ink.accent, 2.0) if selected or aimed else thin(ink.outline))
    painter.drawRoundedRect(card, 6, 6)
    chip = offer_rect(ink, card, offer, facts.title)
    name = name_line(ink, card).adjusted(PAD, 0, -PAD, 0)
    edge = name.top() - card.top()
    inner = card.adjusted(PAD, edge, -PAD, -edge)
    beside = not chip.isEmpty() and chip.top() < inner.top() + ink.line
    if tint is not None:
        indent += _paint_swatch(painter, ink, name, tint)
    name.setLeft(name.left() + indent)
    if beside:
        name.setRight(chip.left() - 4)
    bold = ink.bold if name.height() >= ink.line - 1 else ink.small_bold
    badges = badge_rects(ink, card, facts.overlays, chip)
    if badges and badges[0].top() < name.bottom():
        if ink.width(facts.title, bold) > badges[0].left() - 4 - name.left():
            badges = []  # the name says more
        else:
            name.setRight(badges[0].left() - 4)
    paint_badges(painter, ink, badges, facts.overlays, overlay)
    share = quantities.percent(facts.utilisation)
    taken = ink.width(share, ink.small) + 6
    # beside a badge there may be no room for both
    if busy and (not badges or ink.width(facts.title, bold) <= name.width() - taken):
        ink.write(painter, name, share, ink.muted, ink.small, RIGHT)
        name.setRight(name.right() - taken)
    ink.write(painter, name, facts.title, ink.text, bold)
    y = name.bottom() + 2
    for badge in badges:
        y = max(y, badge.bottom() + 2)
    for text in (facts.build, *facts.held, facts.load):
        line = QRectF(inner.left(), y, inner.width(), ink.small_line)
        if line.bottom() > inner.bottom() or line.intersects(chip):
            break
        is_load = text is facts.load
        slow_width = _paint_slowdown(painter, ink, line, facts) if is_load else 0.0
        line.setRight(line.right() - slow_width)
        ink.write(painter, line, text, ink.muted, ink.small)
        y = line.bottom() + 2
    if not busy:
        _paint_utilisation(painter, ink, inner, y, chip, facts)
    if not chip.isEmpty():
        paint_chip(painter, ink, chip, offer, offer.short)


def _paint_swatch(painter: QPainter, ink: Ink, line: QRectF, tint: QColor) -> float:
    """A square of a colour at the left of a line; returns the width it takes."""
    painter.setPen(thin(ink.muted))
    painter.setBrush(tint)
    top = line.center().y() - SWATCH / 2
    painter.drawRoundedRect(QRectF(line.left(), top, SWATCH, SWATCH), 2, 2)
    return SWATCH + 6.0


def _paint_slowdown(painter: QPainter, ink: Ink, line: QRectF, facts: Facts) -> float:
    """The slowdown badge at the right of a line, short where the load has no room beside it.

    Returns the width it takes.
    """
    if not facts.slow:
        return 0.0
    factor = quantities.slowdown(facts.slowdown)
    room = line.width() - ink.width(facts.load, ink.small) - _BADGE
    text = f"slow {factor}" if ink.width(f"slow {factor}", ink.small) <= room else factor
    width = ink.width(text, ink.small) + _BADGE
    badge = QRectF(line.right() - width + 4, line.top(), width, line.height())
    paint_badge(painter, ink, badge, text, ink.worse_surface, ink.worse)
    return width


def _paint_utilisation(
    painter: QPainter, ink: Ink, inner: QRectF, y: float, chip: QRectF, facts: Facts
) -> None:
    """A thin bar with its percentage, where there is room below the lines."""
    line = QRectF(inner.left(), y, inner.width(), ink.small_line)
    if not chip.isEmpty() and chip.top() < line.bottom():
        line.setRight(chip.left() - 6)
    text = f"{quantities.percent(facts.utilisation)} utilised"
    text_width = ink.width(text, ink.small)
    if line.bottom() > inner.bottom() + 2 or line.width() < text_width:
        return
    bar = QRectF(line.left(), line.center().y() - 2, line.width() - text_width - 6, 4)
    if bar.width() > 12:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink.edge)
        painter.drawRoundedRect(bar, 2, 2)
        bar.setWidth(bar.width() * min(1.0, max(0.0, facts.utilisation)))
        painter.setBrush(ink.computing)
        painter.drawRoundedRect(bar, 2, 2)
    ink.write(painter, line, text, ink.muted, ink.small, RIGHT)
