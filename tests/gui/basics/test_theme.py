"""The theme: readable in both, switched everywhere at once, remembered."""

from __future__ import annotations

from dataclasses import fields

import pytest
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from advisor.basics.causes import CAUSES, IDLE
from gui.basics.icons import icon
from gui.basics.theme import CAUSE_COLOURS, DARK, LIGHT, Colours, theme
from gui.shell.commands import set_theme
from gui.shell.main_window import MainWindow


@pytest.fixture(autouse=True)
def system_theme_afterwards(qapp: QApplication):  # type: ignore[no-untyped-def]
    yield
    theme().set_mode("system")


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


def test_icons_take_the_colours_of_the_theme(qtbot: QtBot, window: MainWindow) -> None:
    set_theme(window.settings, "light")
    light = icon("open").pixmap(32, 32).toImage()
    set_theme(window.settings, "dark")
    assert icon("open").pixmap(32, 32).toImage() != light


def test_no_text_is_smaller_than_9_points(qtbot: QtBot, window: MainWindow) -> None:
    from PySide6.QtWidgets import QWidget

    for widget in window.findChildren(QWidget):
        assert widget.font().pointSizeF() >= 9 or widget.font().pixelSize() >= 12
