"""Colours, spacing and style sheet of both themes; the one place where a colour has a value.

Those of causes are fixed, and the engine's (`advisor.basics.causes`): reports use them, too. Own
palettes on the Fusion style, because the platform's colour scheme is not available everywhere.
Views ask `theme()` while painting and repaint on `theme().changed`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QToolButton

import resources
from advisor.basics import causes

GRID = 8
RADIUS = 6

CAUSE_COLOURS = causes.COLOURS


@dataclass(frozen=True)
class Colours:
    """The colours of one theme, as ``#RRGGBB``.

    `line` parts what lies beside each other; `edge` bounds what can be used, 3 : 1 at least
    against every surface (WCAG 2.2, 1.4.11).
    """

    window: str
    surface: str
    raised: str
    line: str
    edge: str
    text: str
    muted: str
    better: str
    better_surface: str
    worse: str
    worse_surface: str
    warning: str
    accent: str
    on_accent: str
    board: str
    hatch: str
    selected: str


# role: (light, dark)
_COLOURS = {
    "window": ("#ECEEF2", "#18191B"),
    "surface": ("#FFFFFF", "#1E1F22"),
    "raised": ("#F5F6F8", "#26282C"),
    "line": ("#D5D8DE", "#3A3D42"),
    "edge": ("#737983", "#848A94"),
    "text": ("#1B1D21", "#E6E6E6"),
    "muted": ("#5A6069", "#A3A8B0"),
    "better": ("#00664B", "#4FD1A5"),
    "better_surface": ("#DDF2EA", "#173A30"),
    "worse": ("#A83E00", "#FF9A5C"),
    "worse_surface": ("#FBE7DB", "#452615"),
    "warning": ("#8A5A00", "#F0B849"),
    "accent": ("#2A62D8", "#5B8DEF"),
    "on_accent": ("#FFFFFF", "#0D1117"),
    "board": ("#F5F6F8", "#1E1F22"),
    "hatch": ("#C3C7CE", "#4A4E55"),
    "selected": ("#E1EAFC", "#2B3A57"),
}
LIGHT, DARK = (Colours(**{role: both[dark] for role, both in _COLOURS.items()}) for dark in (0, 1))
# both ends of a ramp of one hue, light to dark and, on dark ground, dark to light
_RAMP = {False: ("#B4C3DD", "#12306B"), True: ("#414F69", "#B5D0FF")}
# the style draws their outlines in the window's colour of their palettes, darkened so much
_OUTLINED = (
    "QLineEdit", "QComboBox", "QAbstractSpinBox", "QPushButton", "QToolButton", "QCheckBox",
    "QRadioButton", "QSlider", "QProgressBar", "QScrollBar", "TickTable",
)  # fmt: skip
_DARKENED = 140  # percent
# the style puts their arrows into a corner; beside it a text alone is centred and needs more room
_MENU = QToolButton.ToolButtonPopupMode.InstantPopup.value
_BESIDE = Qt.ToolButtonStyle.ToolButtonTextBesideIcon.value
MODES = ("system", "light", "dark")
_CLOSE = resources.folder("icons") / "close.svg"


class Theme(QObject):
    """The current theme; `set_mode` switches between system, light and dark."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.mode = "system"
        self.colours = LIGHT

    @property
    def dark(self) -> bool:
        """Whether the dark palette is in use."""
        return self.colours is DARK

    def set_mode(self, mode: str) -> None:
        """Use "light", "dark" or the system's choice."""
        self.mode = mode
        dark = mode == "dark" or (mode == "system" and _system_is_dark())
        self.colours = DARK if dark else LIGHT
        application = QApplication.instance()
        if isinstance(application, QApplication):
            # first: under a sheet of styles each widget works out every other change for itself
            application.setStyleSheet("")
            application.setStyle("Fusion")
            palette = _palette(self.colours)
            application.setPalette(palette)
            for kind in _OUTLINED:
                application.setPalette(_outlined(palette, self.colours), kind)  # type: ignore[arg-type] # the stub is wrong
            application.setStyleSheet(_style_sheet(self.colours))
        self.changed.emit()

    def cause(self, name: str) -> QColor:
        """The fixed colour of a cause of time."""
        return QColor(CAUSE_COLOURS[name])

    def tint(self, position: int, count: int) -> QColor:
        """A quiet tint for a machine; never the only carrier of meaning."""
        return tint(position, count, self.dark)

    def ramp(self, share: float) -> QColor:
        """A quiet colour for an amount, from almost nothing (0) to the most there is (1)."""
        low, high = (QColor(end) for end in _RAMP[self.dark])
        parts = zip(low.getRgbF()[:3], high.getRgbF()[:3], strict=True)  # type: ignore[index]
        return QColor.fromRgbF(*(a + share * (b - a) for a, b in parts))


def tint(position: int, count: int, dark: bool) -> QColor:
    """As `Theme.tint`, in the dark theme or the light one."""
    hue = 200 + int(100 * position / max(1, count - 1)) if count > 1 else 215
    return QColor.fromHsl(hue % 360, 60 if dark else 70, 78 if dark else 205)


_theme: Theme | None = None
_here: ContextVar[Theme | None] = ContextVar("theme", default=None)


@contextmanager
def in_theme(chosen: Theme) -> Iterator[None]:
    """While the block runs, `theme` is this one for the thread: what it draws has one look."""
    before = _here.set(chosen)
    try:
        yield
    finally:
        _here.reset(before)


def theme() -> Theme:
    """The application's theme, or the one that was chosen by `in_theme`."""
    global _theme  # noqa: PLW0603 - one per application, made at first use
    here = _here.get()
    if here is not None:
        return here
    if _theme is None:
        _theme = Theme()
    return _theme


def _system_is_dark() -> bool:
    return QGuiApplication.styleHints().colorScheme() == Qt.ColorScheme.Dark


def _palette(colours: Colours) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    for which, value in {
        role.Window: colours.window,
        role.WindowText: colours.text,
        role.Base: colours.surface,
        role.AlternateBase: colours.raised,
        role.Text: colours.text,
        role.Button: colours.raised,
        role.ButtonText: colours.text,
        role.ToolTipBase: colours.raised,
        role.ToolTipText: colours.text,
        role.PlaceholderText: colours.muted,
        role.Highlight: colours.accent,
        role.HighlightedText: colours.on_accent,
        role.Link: colours.accent,
        role.Mid: colours.line,
        role.Dark: colours.line,
        role.Light: colours.raised,
    }.items():
        palette.setColor(which, QColor(value))
    for which in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, which, QColor(colours.muted))
    return palette


def _outlined(palette: QPalette, colours: Colours) -> QPalette:
    """The palette of widgets with outlines; that of the focus must be dark enough to stay so."""
    special = QPalette(palette)
    special.setColor(QPalette.ColorRole.Window, QColor(colours.edge).lighter(_DARKENED))
    if colours is LIGHT:
        special.setColor(QPalette.ColorRole.Highlight, QColor(colours.accent).darker(_DARKENED))
    return special


def _url(path: Path) -> str:
    """A file in a style sheet, whatever signs its path has."""
    text = path.as_posix().replace("\\", "\\\\").replace('"', '\\"')
    return f'url("{text}")'


def _style_sheet(colours: Colours) -> str:
    bare = f"border: 1px solid {colours.edge};"
    active = f"border: 1px solid {colours.accent};"
    return f"""
    QToolTip {{ color: {colours.text}; background: {colours.raised}; {bare} padding: 4px; }}
    QMenu {{ {bare} }}
    QPlainTextEdit, QTextEdit, QTableView, QListView {{ {bare} }}
    QPlainTextEdit:focus, QTextEdit:focus, QTableView:focus, QListView:focus {{ {active} }}
    QLineEdit[wrong="true"], QPlainTextEdit[wrong="true"] {{ border: 2px solid {colours.worse}; }}
    QToolButton:checked {{ background: {colours.selected}; {active}
        border-radius: {RADIUS // 2}px; padding: 2px; }}
    QToolButton[popupMode="{_MENU}"] {{ padding-right: {3 * GRID}px; }}
    QToolButton[popupMode="{_MENU}"][toolButtonStyle="{_BESIDE}"],
    QToolButton[popupMode="{_MENU}"][role="view"] {{ padding-right: {2 * GRID}px; }}
    QToolButton[popupMode="{_MENU}"]::menu-indicator {{ subcontrol-origin: padding;
        subcontrol-position: center right; right: {GRID // 2}px; width: {GRID}px; height: {GRID}px;
        }}
    QPushButton[primary="true"] {{ background: {colours.accent}; color: {colours.on_accent};
        border: 2px solid {colours.accent}; border-radius: {RADIUS}px; padding: 4px 14px; }}
    QPushButton[primary="true"]:focus {{ border-color: {colours.text}; }}
    QPushButton[primary="true"]:disabled {{ background: {colours.line}; color: {colours.muted};
        border-color: {colours.line}; }}
    QLabel[role="muted"] {{ color: {colours.muted}; }}
    QLabel[role="headline"] {{ font-weight: 600; }}
    QLabel[role="title"] {{ font-weight: 600; }}
    QLabel[role="error"], QLabel[wrong="true"] {{ color: {colours.worse}; }}
    QToolBar#rail_bar {{ background: {colours.surface}; border: none;
        border-right: 1px solid {colours.line}; padding: 0; spacing: 0; }}
    QFrame#rail {{ background: {colours.surface}; border: none; }}
    QFrame#rail QToolButton {{ color: {colours.text}; border: none; border-radius: {RADIUS}px;
        border-left: 3px solid transparent; padding: {GRID // 4}px {GRID // 2}px; }}
    QFrame#rail QToolButton:hover {{ background: {colours.raised}; }}
    QFrame#rail QToolButton:checked {{ background: {colours.selected}; font-weight: 600;
        border-left: 3px solid {colours.accent}; }}
    QFrame#rail QToolButton:focus {{ {active} }}
    QFrame#notice {{ background: {colours.selected}; border: none;
        border-bottom: 1px solid {colours.line}; }}
    QFrame[role="card"] {{ background: {colours.surface}; {bare} border-radius: {RADIUS}px; }}
    QFrame[role="card"]:hover, QFrame[role="card"]:focus {{ border-color: {colours.accent}; }}
    QFrame[role="card"] QLabel {{ border: none; background: transparent; }}
    QFrame[role="fact"] {{ background: {colours.raised}; border: 1px solid {colours.line};
        border-radius: {RADIUS}px; }}
    QFrame[role="fact"] QLabel {{ border: none; background: transparent; }}
    QToolButton[role="view"] {{ color: {colours.text}; background: transparent;
        border: 1px solid transparent; border-radius: {RADIUS}px;
        padding: {GRID // 2}px {GRID}px; }}
    QToolButton[role="view"]:hover {{ background: {colours.raised}; }}
    QToolButton[role="view"][beside="true"] {{ background: {colours.raised};
        border-color: {colours.line}; }}
    QToolButton[role="view"]:checked, QToolButton[role="view"][chosen="true"] {{
        background: {colours.selected}; border-color: {colours.accent}; }}
    QToolButton[role="view"]:focus {{ border-color: {colours.accent}; }}
    QToolButton[role="view"]:disabled {{ color: {colours.muted}; }}
    QPushButton[role="link"] {{ color: {colours.accent}; background: transparent; border: none;
        padding: 2px 0; text-align: left; }}
    QPushButton[role="link"]:hover, QPushButton[role="link"]:focus {{
        text-decoration: underline; }}
    QToolBar#toolbar {{ background: {colours.surface}; border: none;
        border-bottom: 1px solid {colours.line}; padding: {GRID // 2}px {GRID}px;
        spacing: {GRID // 2}px; }}
    QFrame#answer {{ background: {colours.surface}; border: none;
        border-bottom: 1px solid {colours.line}; }}
    QStatusBar {{ background: {colours.window}; border-top: 1px solid {colours.line}; }}
    QStatusBar::item {{ border: none; }}
    QTabBar::tab {{ color: {colours.muted}; background: {colours.window}; {bare}
        border-bottom: none; border-top-left-radius: {RADIUS // 2}px;
        border-top-right-radius: {RADIUS // 2}px; padding: {GRID // 2}px {3 * GRID // 2}px;
        margin-right: 2px; }}
    QTabBar::tab:selected {{ color: {colours.text}; background: {colours.surface};
        border-top: 3px solid {colours.accent}; }}
    QTabBar::tab:selected:focus {{ background: {colours.selected}; }}
    QTabBar::close-button {{ image: {_url(_CLOSE)}; }}
    QTabBar::close-button:hover {{ background: {colours.line}; border-radius: 2px; }}
    QDockWidget::title {{ background: {colours.window}; padding: {GRID // 2}px {GRID}px; }}
    QMainWindow::separator {{ background: {colours.edge}; width: 2px; height: 2px; }}
    QMainWindow::separator:hover {{ background: {colours.accent}; }}
    """
