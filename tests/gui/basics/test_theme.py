"""The theme: readable in both, switched everywhere at once, remembered."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import fields
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QPushButton,
    QRadioButton,
    QSlider,
    QSpinBox,
    QTabBar,
    QTableWidget,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from advisor.basics.causes import CAUSES, IDLE
from gui.basics.icons import icon
from gui.basics.theme import CAUSE_COLOURS, DARK, LIGHT, Colours, _style_sheet, theme
from gui.shell.commands import set_theme
from gui.shell.main_window import MainWindow


def luminance(colour: str) -> float:
    def linear(part: float) -> float:
        return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

    value = QColor(colour)
    red, green, blue = (linear(part) for part in (value.redF(), value.greenF(), value.blueF()))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_text_is_readable_on_every_surface(colours: Colours) -> None:
    pairs = [
        (text, surface)
        for text in ("text", "muted")
        for surface in ("window", "surface", "raised", "board")
    ] + [
        ("text", "selected"),
        ("better", "better_surface"),
        ("worse", "worse_surface"),
        ("better", "surface"),
        ("worse", "surface"),
        ("warning", "surface"),
        ("on_accent", "accent"),
        ("accent", "surface"),
        ("accent", "window"),
    ]
    poor = {
        pair: round(value, 2)
        for pair in pairs
        if (value := contrast(getattr(colours, pair[0]), getattr(colours, pair[1]))) < 4.5
    }
    assert poor == {}


_SURFACES = ("window", "surface", "raised", "board", "selected")
_STATES = re.compile(r":(focus|checked|hover|selected)")


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_what_bounds_controls_and_what_marks_a_state_stands_out_from_every_surface(
    colours: Colours,
) -> None:
    poor = {
        (role, surface): round(value, 2)
        for role in ("edge", "accent", "worse", "warning", "better")
        for surface in _SURFACES
        if (value := contrast(getattr(colours, role), getattr(colours, surface))) < 3.0
    }
    assert poor == {}


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_every_state_of_the_style_sheet_is_told_by_more_than_a_shade(colours: Colours) -> None:
    """A focused, checked or selected thing has a bound that stands out, or a line under it."""
    for selector, rules in re.findall(r"([^{}]+)\{([^{}]*)\}", _style_sheet(colours)):
        bounds = re.findall(r"border[a-z-]*:[^;]*(#[0-9A-Fa-f]{6})", rules)
        if not _STATES.search(selector):
            rail = any(part in selector for part in ("#rail", "#notice", "#toolbar", "QStatusBar"))
            assert rail or all(
                contrast(one, colours.window) >= 3 for one in bounds if one != colours.line
            )
        elif ":hover" not in selector and ":selected:focus" not in selector:
            assert bounds or "underline" in rules, selector
            for surface in _SURFACES:
                for one in bounds:
                    assert contrast(one, getattr(colours, surface)) >= 3, (selector, surface)


def _combo() -> QComboBox:
    box = QComboBox()
    box.addItems(["one", "two"])
    return box


def _tabs() -> QTabBar:
    tabs = QTabBar()
    for title in ("one", "two"):
        tabs.addTab(title)
    return tabs


def _toggle(kind: type[QAbstractButton]) -> QAbstractButton:
    button = kind()
    button.setText("Word")
    button.setCheckable(True)
    return button


def _rows() -> QTableWidget:
    table = QTableWidget(2, 1)
    table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
    return table


_CONTROLS: dict[str, Callable[[], QWidget]] = {
    "line": QLineEdit,
    "text": QPlainTextEdit,
    "list": _combo,
    "number": QSpinBox,
    "button": partial(_toggle, QPushButton),
    "tool button": partial(_toggle, QToolButton),
    "tick": partial(_toggle, QCheckBox),
    "choice": partial(_toggle, QRadioButton),
    "slider": partial(QSlider, Qt.Orientation.Horizontal),
    "tabs": _tabs,
    "table": _rows,
}


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("name", _CONTROLS)
def test_bounds_focus_and_states_can_be_seen(qtbot: QtBot, mode: str, name: str) -> None:
    """As painted: 3 : 1 against the ground beside the control."""
    theme().set_mode(mode)
    host = QWidget()
    qtbot.addWidget(host)
    host.resize(160, 100)
    before, control = QLineEdit(host), _CONTROLS[name]()
    before.setGeometry(0, -50, 10, 10)
    control.setParent(host)
    control.setGeometry(20, 20, *control.sizeHint().boundedTo(QSize(120, 60)).toTuple())
    with qtbot.waitActive(host):
        host.show()
    before.setFocus()
    ground = host.grab().toImage().pixelColor(5, 5).name()
    still = host.grab().toImage()
    left, middle = control.geometry().left(), control.geometry().center().y()
    middle = control.geometry().top() + 14 if name == "tabs" else middle
    edge = [still.pixelColor(x, middle).name() for x in range(left, left + 8)]
    assert max(contrast(one, ground) for one in edge) >= 3
    qtbot.keyClick(before, Qt.Key.Key_Tab)
    assert control.hasFocus()
    assert _new(still, host.grab().toImage(), ground) >= 12
    before.setFocus()
    if isinstance(control, QAbstractButton):
        control.setChecked(True)
    elif isinstance(control, QTabBar | QComboBox):
        control.setCurrentIndex(1)
    elif isinstance(control, QTableWidget):
        control.selectRow(0)
    else:
        return
    assert _new(still, host.grab().toImage(), ground) >= 12


def _new(before: QImage, after: QImage, ground: str) -> int:
    """Pixels that changed and stand out from the ground now."""
    places = product(range(before.width()), range(before.height()))
    changed = (
        after.pixelColor(*at).name() for at in places if before.pixel(*at) != after.pixel(*at)
    )
    return sum(contrast(one, ground) >= 3 for one in changed)


@pytest.mark.parametrize("role", ["", "view"])
def test_a_button_that_does_nothing_now_is_greyed(qtbot: QtBot, role: str) -> None:
    button = QToolButton()
    qtbot.addWidget(button)
    button.setText("nnn")
    button.setAutoRaise(True)
    button.setProperty("role", role)
    useful = button.grab().toImage()
    button.setEnabled(False)
    assert button.grab().toImage() != useful


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("beside", [False, True])
@pytest.mark.parametrize("role", ["", "view"])
def test_the_arrow_of_a_menu_is_at_the_middle_of_its_button_beside_the_text(
    qtbot: QtBot, mode: str, beside: bool, role: str
) -> None:
    theme().set_mode(mode)
    host = QWidget()
    qtbot.addWidget(host)
    button = QToolButton(host)
    button.setText("nnn")
    button.setAutoRaise(True)
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    button.setMenu(QMenu(button))
    if beside:
        button.setIcon(icon("export"))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    if role:
        button.setProperty("role", role)
    button.resize(button.sizeHint())
    host.show()
    image = host.grab(button.geometry()).toImage()
    ground = image.pixelColor(2, 2).name()
    inked = [
        (x, y)
        for x, y in product(range(image.width()), range(image.height()))
        if contrast(image.pixelColor(x, y).name(), ground) > 1.5
    ]
    arrow = [(x, y) for x, y in inked if x >= image.width() - 14]
    right, left = max(x for x, _ in arrow), min(x for x, _ in arrow)
    rows = [y for _, y in arrow]
    assert right < image.width() - 3
    assert abs((min(rows) + max(rows)) / 2 - (image.height() - 1) / 2) <= 1.5
    assert left - max(x for x, _ in inked if x < left) > 3


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_every_colour_is_one(colours: Colours) -> None:
    for field in fields(colours):
        assert QColor(getattr(colours, field.name)).isValid(), field.name


def test_every_cause_has_a_colour_of_its_own() -> None:
    assert set(CAUSE_COLOURS) == {*CAUSES, IDLE}
    assert len(set(CAUSE_COLOURS.values())) == len(CAUSE_COLOURS)


def test_machines_get_distinct_quiet_tints(qtbot: QtBot) -> None:
    tints = [theme().tint(position, 8) for position in range(8)]
    assert len({tint.name() for tint in tints}) == 8
    assert all(tint.hslSaturation() < 100 for tint in tints)
    assert theme().tint(0, 1).isValid()


def test_the_theme_is_switched_in_the_menu_and_remembered(qtbot: QtBot, window: MainWindow) -> None:
    window.commands["theme_dark"].trigger()
    assert theme().dark
    assert window.settings.theme == "dark"
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    assert application.palette().window().color() == QColor(DARK.window)
    window.commands["theme_light"].trigger()
    assert not theme().dark
    assert application.palette().window().color() == QColor(LIGHT.window)


def test_nothing_else_changes_while_there_is_a_style_sheet(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    # each widget would work every step out anew: seconds with all pages there
    sheets: list[str] = []
    with monkeypatch.context() as patch:
        for step in ("setPalette", "setStyle"):
            note = staticmethod(lambda *_about: sheets.append(qapp.styleSheet()))
            patch.setattr(QApplication, step, note)
        theme().set_mode("dark")
    assert len(sheets) > 2
    assert set(sheets) == {""}
    assert qapp.styleSheet()


def test_icons_take_the_colours_of_the_theme(qtbot: QtBot, window: MainWindow) -> None:
    set_theme(window.settings, "light")
    light = icon("open").pixmap(32, 32).toImage()
    set_theme(window.settings, "dark")
    assert icon("open").pixmap(32, 32).toImage() != light


def test_no_text_is_smaller_than_9_points(qtbot: QtBot, window: MainWindow) -> None:
    for widget in window.findChildren(QWidget):
        assert widget.font().pointSizeF() >= 9 or widget.font().pixelSize() >= 12


@pytest.mark.parametrize("folder", ["plain", "K\u00e4se und Brot", "a(b) 'c' \"d\" {e}; f"])
def test_the_style_sheet_is_read_wherever_the_icons_lie(
    folder: str, qtbot: QtBot, qtlog: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gui.basics.theme._CLOSE", Path("/") / folder / "close.svg")
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.setStyleSheet(_style_sheet(LIGHT))
    widget.ensurePolished()
    assert [one.message for one in qtlog.records if "parse" in one.message] == []
