"""Help: pages of text that ship with the program, and all actions with their keys, searchable."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version

from PySide6.QtCore import Qt, QUrl, Signal, qVersion
from PySide6.QtGui import QDesktopServices, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QListWidget,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

import resources
from advisor.lessons import LESSONS
from advisor.studies import QUESTIONS
from gui.basics.reading_order import InReadingOrder
from gui.basics.theme import GRID, theme
from gui.shell.actions import Actions

_FOLDER = resources.folder("help")
_STUDIES = tuple(
    (one.name, one.title) for one in QUESTIONS.values() if (_FOLDER / f"{one.name}.md").is_file()
)
PAGES = (
    ("start", "First steps"),
    ("board", "The board"),
    ("answer", "The answer"),
    ("load", "Load and slowdown"),
    ("odds", "How sure"),
    ("resources", "Memory, GPUs and variants"),
    ("parallel", "Parallel tasks"),
    *_STUDIES,
    ("runs", "Runs"),
    ("campaign", "Campaigns"),
    ("files", "Files"),
    ("sources", "Sources"),
    *((f"lesson-{one.name}", f"Lesson: {one.title}") for one in LESSONS.values()),
)
_LESSON = "lesson"  # scheme of links that open what a lesson is about
_COLUMNS = ("Action", "Keys", "Menu", "What it does")


class HelpDialog(InReadingOrder, QDialog):
    """Two tabs: the pages, and the shortcuts."""

    lesson_asked = Signal(object)  # its name

    def __init__(self, actions: Actions, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("help_dialog")
        self.setWindowTitle("Placewise help")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(120 * GRID, 80 * GRID)
        self.tabs = QTabWidget()
        self.tabs.setObjectName("help_tabs")
        self.topics = QListWidget()
        self.browser = QTextBrowser()
        self.table = QTableWidget(0, len(_COLUMNS))
        self.filter = QLineEdit()
        self.tabs.addTab(self._pages(), "Help")
        self.tabs.addTab(self._shortcuts(actions), "Shortcuts")
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.tabs)
        layout.addWidget(buttons)
        self.topics.setCurrentRow(0)
        theme().changed.connect(self._ink)

    def show_page(self, name: str) -> None:
        """Open the page of that name."""
        self.tabs.setCurrentIndex(0)
        self.topics.setCurrentRow([page for page, _ in PAGES].index(name))

    def show_shortcuts(self) -> None:
        """Open the table of shortcuts, ready to type a filter."""
        self.tabs.setCurrentIndex(1)
        self.filter.setFocus()

    def _pages(self) -> QWidget:
        page = QWidget()
        self.topics.setObjectName("help_topics")
        self.topics.setAccessibleName("Help pages")
        self.topics.addItems([title for _, title in PAGES])
        self.topics.setMaximumWidth(34 * GRID)
        self.topics.currentRowChanged.connect(self._show_topic)
        self.browser.setObjectName("help_text")
        self.browser.setAccessibleName("Help text")
        self.browser.setOpenLinks(False)
        self.browser.anchorClicked.connect(self._follow)
        self.browser.document().setDocumentMargin(2 * GRID)
        layout = QHBoxLayout(page)
        layout.addWidget(self.topics)
        layout.addWidget(self.browser, 1)
        return page

    def _shortcuts(self, actions: Actions) -> QWidget:
        page = QWidget()
        self.filter.setObjectName("help_filter")
        self.filter.setPlaceholderText("Filter by name, key or purpose")
        self.filter.setAccessibleName("Filter the actions")
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._filter)
        table = self.table
        table.setObjectName("help_actions")
        table.setAccessibleName("Actions and shortcuts")
        table.setHorizontalHeaderLabels(list(_COLUMNS))
        table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setTabKeyNavigation(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.verticalHeader().hide()
        table.setRowCount(len(actions.specs))
        native = QKeySequence.SequenceFormat.NativeText
        for row, spec in enumerate(actions):
            keys = ", ".join(keys.toString(native) for keys in actions[spec.id].shortcuts())
            cells = (spec.text.rstrip("…"), keys, spec.menu.replace("/", " › "), spec.help)
            for column, text in enumerate(cells):
                table.setItem(row, column, QTableWidgetItem(text))
        table.resizeColumnsToContents()
        table.horizontalHeader().setSectionResizeMode(3, QHeaderView.ResizeMode.Stretch)
        layout = QVBoxLayout(page)
        layout.addWidget(self.filter)
        layout.addWidget(table)
        return page

    def _show_topic(self, row: int) -> None:
        name = PAGES[row][0]
        text = (_FOLDER / f"{name}.md").read_text(encoding="utf-8")
        self.browser.setMarkdown(text)
        for frame in self.browser.document().rootFrame().childFrames():
            apart = frame.frameFormat()
            apart.setTopMargin(GRID)  # tables would touch the text above them
            frame.setFrameFormat(apart)

    def _ink(self) -> None:
        """A page keeps the colours that its links were read with."""
        bar = self.browser.verticalScrollBar()
        read = bar.value()
        self._show_topic(self.topics.currentRow())
        bar.setValue(read)

    def _follow(self, link: QUrl) -> None:
        """A link to another page opens it here, a lesson in the window, one to the web outside."""
        if link.scheme() == _LESSON:
            self.accept()
            self.lesson_asked.emit(link.path())
            return
        target = link.toString().removesuffix(".md")
        if target in [name for name, _ in PAGES]:
            self.show_page(target)
        else:
            QDesktopServices.openUrl(link)

    def _filter(self, text: str) -> None:
        words = text.casefold().split()
        for row in range(self.table.rowCount()):
            cells = [self.table.item(row, column) for column in range(len(_COLUMNS))]
            line = " ".join(cell.text() for cell in cells if cell is not None).casefold()
            self.table.setRowHidden(row, not all(word in line for word in words))


def about_text() -> str:
    """Name, version, licence and what it runs on."""
    try:
        release = version("placewise")
    except PackageNotFoundError:  # run from a checkout that is not installed
        release = "from a checkout"
    return (
        f"<h3>Placewise {release}</h3>"
        "<p>Predict and plan parallel programs on heterogeneous machines.</p>"
        f"<p>Apache License 2.0. Python {platform.python_version()}, Qt {qVersion()}.</p>"
    )
