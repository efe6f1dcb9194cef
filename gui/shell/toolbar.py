"""The toolbar: files, undo, Advise, the two choices, pin, export, search."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QAction, QKeySequence, QShowEvent, QUndoGroup
from PySide6.QtWidgets import (
    QApplication,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QToolBar,
    QToolButton,
    QWidget,
)

from advisor.allocation.costs import EXACT, PUBLISHED
from advisor.allocation.objectives import MAKESPAN, TOTAL
from advisor.allocation.timeline_modes import SHARING_WORDS
from advisor.project.project import Project
from gui.basics.literal_menu import Menu, literal
from gui.basics.settings import LONGEST_SEARCH_S, SEARCH_S
from gui.basics.theme import GRID
from gui.basics.wheel import ChoiceBox, NumberBox
from gui.document.document import Document
from gui.shell.actions import Actions
from gui.shell.search_field import SearchField

OBJECTIVES = {MAKESPAN: "Makespan", TOTAL: "Total time"}
READING_TITLES = {EXACT: "Exact sharing", PUBLISHED: "Published formula"}


class Toolbar(QToolBar):
    """What is used most, always in sight."""

    def __init__(
        self,
        document: Document,
        steps: QUndoGroup,
        actions: Actions,
        show_task: Callable[[int], object],
        export_actions: Mapping[str, Sequence[QAction]],
    ) -> None:
        super().__init__("Toolbar")
        self.setObjectName("toolbar")
        self.setMovable(False)
        self.setIconSize(QSize(2 * GRID, 2 * GRID))
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)
        self._document, self._steps, self._actions = document, steps, actions
        self._exports_of_page: Callable[[], Sequence[QAction]] | None = None
        for name in ("open", "save", "undo", "redo"):
            self.addAction(actions[name])
        self._redo_button().setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.addSeparator()
        before = len(self.actions())
        self.addWidget(self._advise_button())
        self.seconds = _seconds_field()
        self.addWidget(self.seconds)
        self.objective = self._choice("objective", OBJECTIVES, "What the advice is for")
        self.reading = self._choice(
            "reading",
            {value: f"Load: {title.lower()}" for value, title in READING_TITLES.items()},
            "How the load of others slows tasks and transfers: the contention model",
        )
        self.addSeparator()
        actions["pin"].setIconText("Pin")
        self.addAction(actions["pin"])
        self._add_plan_export(export_actions)
        self._of_board = tuple(self.actions()[before:])
        self._of_page: tuple[QAction, ...] = ()
        self._page_export = self._add_page_export()
        space = QWidget()
        space.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(space)
        self.search = SearchField(document, actions, show_task, self)
        self.search.setMaximumWidth(40 * GRID)
        self.addWidget(self.search)
        document.changed.connect(self._follow)
        for told in (steps.undoTextChanged, steps.redoTextChanged):
            told.connect(lambda _text: self._name_steps())
        for able in (steps.canUndoChanged, steps.canRedoChanged):
            able.connect(lambda _able: self._name_steps())
        self._name_steps()
        self._follow(document.project)

    def showEvent(self, event: QShowEvent) -> None:
        """Keep one height, whatever tools are offered: nothing moves below."""
        super().showEvent(event)
        # else its padding comes with the first change of theme, and moves all buttons
        QApplication.sendEvent(self, QEvent(QEvent.Type.StyleChange))
        self.setMinimumHeight(max(self.minimumHeight(), self.sizeHint().height()))

    def show_board_tools(self) -> None:
        """Offer what is about the plan."""
        self._show_tools((), None)

    def show_page_tools(
        self, tools: Sequence[QAction], exports: Callable[[], Sequence[QAction]]
    ) -> None:
        """Offer a page's tools in place of what is about the plan; `exports` are asked for late."""
        self._show_tools(tools, exports)

    def _show_tools(
        self, tools: Sequence[QAction], exports: Callable[[], Sequence[QAction]] | None
    ) -> None:
        for action in self._of_board:
            action.setVisible(exports is None)
        if tuple(tools) != self._of_page:
            for action in self._of_page:
                self.removeAction(action)
            self._of_page = tuple(tools)
            self.insertActions(self._page_export, tools)
        self._exports_of_page = exports
        self._page_export.setVisible(exports is not None)

    def _fill_page_exports(self, menu: Menu) -> None:
        menu.clear()
        if self._exports_of_page is not None:
            menu.addActions(list(self._exports_of_page()))

    def _advise_button(self) -> QPushButton:
        action = self._actions["advise"]
        button = QPushButton("Advise")
        button.setObjectName("toolbar_advise")
        button.setProperty("primary", True)
        button.setToolTip(action.toolTip())
        button.clicked.connect(action.trigger)
        action.changed.connect(lambda: button.setEnabled(action.isEnabled()))
        button.setEnabled(action.isEnabled())
        return button

    def _choice(self, name: str, titles: dict[str, str], hint: str) -> ChoiceBox:
        box = ChoiceBox()
        box.setObjectName(f"toolbar_{name}")
        box.setAccessibleName(hint)
        for value, title in titles.items():
            box.addItem(title, value)
            help_text = self._actions[f"{name}_{value}"].statusTip()
            box.setItemData(box.count() - 1, help_text, Qt.ItemDataRole.ToolTipRole)
        box.setToolTip(hint)
        box.activated.connect(
            lambda index: self._actions[f"{name}_{box.itemData(index)}"].trigger()
        )
        self.addWidget(box)
        return box

    def _add_plan_export(self, groups: Mapping[str, Sequence[QAction]]) -> None:
        button = self._export_button("export", "Write the plan or a picture for other programs")
        menu = Menu("", button)
        for title, actions in groups.items():
            menu.addSection(title)
            menu.addActions(list(actions))
        button.setMenu(menu)
        self.addWidget(button)

    def _add_page_export(self) -> QAction:
        """What shows and hides it; what is in its menu is asked of the page when it opens."""
        hint = "Copy or export the answer or the current view"
        button = self._export_button("page_export", hint)
        button.setMenu(Menu("", button, self._fill_page_exports))
        shown = self.addWidget(button)
        shown.setVisible(False)
        return shown

    def _export_button(self, name: str, hint: str) -> QToolButton:
        button = QToolButton()
        button.setObjectName(f"toolbar_{name}")
        button.setText("Export")
        button.setAccessibleName("Export")
        button.setIcon(self._actions["export_plan"].icon())
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setToolTip(hint)
        self._actions["export_plan"].changed.connect(
            lambda: button.setIcon(self._actions["export_plan"].icon())
        )
        return button

    def _redo_button(self) -> QToolButton:
        button = self.widgetForAction(self._actions["redo"])
        assert isinstance(button, QToolButton)  # noqa: S101, RUF100 - what toolbars make
        return button

    def _name_steps(self) -> None:
        stack = self._steps
        for name, text, able in (
            ("undo", stack.undoText(), stack.canUndo()),
            ("redo", stack.redoText(), stack.canRedo()),
        ):
            action, title = self._actions[name], name.capitalize()
            action.setText(f"{title} “{literal(text)}”" if text else title)
            action.setIconText(title)  # the button keeps its width, and all beside it their places
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            action.setToolTip(f"{title} “{text}” ({keys})" if text else action.statusTip())
            action.setEnabled(able)

    def _follow(self, project: Project) -> None:
        for box, value in ((self.objective, project.objective), (self.reading, project.reading)):
            box.setCurrentIndex(box.findData(value))


def _seconds_field() -> NumberBox:
    """How long Advise searches."""
    field = NumberBox()
    field.setObjectName("toolbar_seconds")
    field.setAccessibleName("Seconds that Advise searches")
    field.setToolTip("Approximate search time; pressing Advise again continues from the best plan")
    field.setRange(1, LONGEST_SEARCH_S)
    field.setValue(SEARCH_S)
    field.setSuffix(" s")
    field.setStepType(QSpinBox.StepType.AdaptiveDecimalStepType)
    field.setKeyboardTracking(False)
    return field


def with_objective(document: Document, objective: str) -> None:
    """Choose what the advice is for, one undo step."""
    document.apply(
        replace(document.project, objective=objective),
        f"Advise for {OBJECTIVES[objective].lower()}",
    )


def with_sharing(document: Document, sharing: str) -> None:
    """Choose the timeline, one undo step."""
    document.apply(replace(document.project, sharing=sharing), f"Predict: {SHARING_WORDS[sharing]}")


def with_reading(document: Document, reading: str) -> None:
    """Choose how contention slows, one undo step."""
    document.apply(
        replace(document.project, reading=reading), f"Use {READING_TITLES[reading].lower()}"
    )
