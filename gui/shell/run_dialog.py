"""The dialog that carries a plan out: with what, where, and the commands, which are agreed to once.

Nothing runs before the user has agreed to exactly these commands of this file; opened, never
executed: what is asked for comes as a signal.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from advisor.engines.running_here import BASH, DASK
from advisor.running.run_settings import RunSettings
from gui.basics.background_jobs import LatestWins
from gui.basics.error_messages import sentence
from gui.basics.reading_order import InReadingOrder
from gui.basics.settings import Settings
from gui.basics.theme import GRID
from gui.basics.validation_style import SIGN, mark_wrong
from gui.basics.wheel import ChoiceBox
from gui.document.document import Outcome
from gui.shell.run_listing import Listing, listing
from gui.studies.picture.export_fields import push_button
from gui.tables.data_table import DataTable
from machines.errors import InputError, PlacewiseError

_HERE, _THERE, _PROCESSES = range(3)
_WAYS = (
    ("Dask, a cluster of this computer", "A worker for each machine, which ends with the run"),
    ("Dask, a cluster that runs already", "The worker with each machine's name runs its tasks"),
    ("Processes of this computer", "One process per core of each machine, without Dask"),
)
_AGREE = "I have read these commands, and want them to run with my rights"
_AGREED = "You agreed to exactly these commands before."
_ASK = "Agree to the commands: they run with your rights."


class RunDialog(InReadingOrder, QDialog):
    """Asks how the plan should be carried out.

    `settings`: remember what was agreed to.
    """

    run_asked = Signal(object)  # RunSettings

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("run_plan_dialog")
        self.setWindowTitle("Run the plan")
        self.resize(112 * GRID, 76 * GRID)
        self._settings = settings
        self._listing: Listing | None = None
        self._made: Path | None = None  # a folder that is made if it is taken
        self._folders = ["", ""]  # here, and on a running cluster
        self.heading = _label("run_heading")
        self.heading.setProperty("role", "headline")
        self.way = ChoiceBox()
        self.way.setObjectName("run_way")
        for place, (title, hint) in enumerate(_WAYS):
            self.way.addItem(title)
            self.way.setItemData(place, hint, Qt.ItemDataRole.ToolTipRole)
        self.way.setToolTip("What runs the tasks")
        self.scheduler = _field("run_scheduler", "Where the scheduler of the running cluster is")
        self.scheduler.setPlaceholderText("tcp://host:8786")
        self.folder = _field("run_folder", "The folder in which every command runs")
        self.record = _field("run_record", "One line per finished task; a run is appended")
        self.folder_button = push_button("run_folder_choose", "Choose…", "Choose the folder")
        self.record_button = push_button("run_record_choose", "Choose…", "Choose the record")
        self.table = DataTable("run_commands", "Commands to run: task, machine and command")
        self.table.horizontalHeader().setStretchLastSection(True)
        self.agree = QCheckBox(_AGREE)
        self.agree.setObjectName("run_agree")
        self.agree.setToolTip("Asked once per file and set of commands")
        self.replan = QCheckBox("&Replan while it runs")
        self.replan.setObjectName("run_replan")
        self.replan.setToolTip(
            "Move waiting tasks when others take longer than predicted or a worker is lost"
        )
        self.message = _label("run_message")
        self.close_button = push_button("run_close", "Close", "Run nothing")
        self.run_button = push_button("run_start", "Run", "Run the plan (Enter)")
        self.run_button.setProperty("primary", "true")
        self.run_button.setDefault(True)
        self._form = QFormLayout()
        self._listing_jobs = LatestWins(self, "listing commands")
        self._lay_out()
        self._connect()

    def offer(self, outcome: Outcome, path: Path | None, folder: Path, record: Path) -> None:
        """List what this plan runs; the way of carrying out and a cluster's address stay.

        `path`: the project's file. `folder`, `record`: that are proposed; the folder is made if it
        isn't there and the user takes it.
        """
        self._listing, self._made = None, folder
        self._folders[0] = str(folder)
        self.record.setText(str(record))
        self.agree.setChecked(False)
        self.heading.setText("Listing what will run …")
        self.table.set_columns(())
        self._fit_way()
        self._listing_jobs.request(lambda _stop: listing(outcome, path))

    @property
    def is_busy(self) -> bool:
        """Whether commands are being listed."""
        return self._listing_jobs.is_busy

    # inside

    def _take(self, found: object) -> None:
        assert isinstance(found, Listing)  # noqa: S101, RUF100 - as requested
        self._listing = found
        self.heading.setText(found.heading)
        self.table.set_columns(found.columns)
        self._check()

    def _fail(self, error: PlacewiseError) -> None:
        self.heading.setText("This plan can't be run")
        self._say(sentence(error), wrong=True)

    @property
    def _far(self) -> bool:
        return self.way.currentIndex() == _THERE

    def _fit_way(self) -> None:
        """A running cluster has an address, and folders of its own."""
        self._form.setRowVisible(self.scheduler, self._far)
        self.folder_button.setEnabled(not self._far)
        self.folder.setText(self._folders[self._far])
        self.folder.setPlaceholderText(
            "Where each worker runs" if self._far else "Where commands find and leave their files"
        )
        self._check()

    def _keep_folder(self, text: str) -> None:
        self._folders[self._far] = text
        self._check()

    def _check(self) -> None:
        """Say what is missing; Run is there once nothing is."""
        found = self._listing
        known = found is not None and self._settings.agreed(found.digest)
        self.agree.setVisible(found is not None and not known and not found.missing)
        self.run_button.setEnabled(False)
        self._mark(None)
        if found is None:
            self._say("")
        elif found.missing:
            self._say(found.missing, wrong=True)
        elif not (known or self.agree.isChecked()):
            self._say(_ASK)
        else:
            self._say(_AGREED if known else "")
            self.run_button.setEnabled(self._check_fields())

    def _check_fields(self) -> bool:
        far = self._far
        if not self.record.text().strip():
            self._say("Name the file that records the run.")
        elif far and not self.scheduler.text().strip():
            self._say("Write the address of the running cluster's scheduler.")
        elif not far and not self.folder.text().strip():
            self._say("Name the folder in which the commands run.")
        else:
            return True
        return False

    def _run(self) -> None:
        """Hand over what was asked for, unless a field is wrong."""
        found = self._listing
        self._check()
        if found is None or not self.run_button.isEnabled():
            return
        try:
            settings = self._asked()
        except PlacewiseError as error:
            self._mark(error)
            self._say(sentence(error), wrong=True)
            return
        self._settings.agree(found.digest)
        self.accept()
        self.run_asked.emit(settings)

    def _asked(self) -> RunSettings:
        folder = _path(self.folder) if self.folder.text().strip() else None
        if folder is not None and folder == self._made and not self._far:
            _make(folder)
        return RunSettings(
            BASH if self.way.currentIndex() == _PROCESSES else DASK,
            self.scheduler.text().strip() if self._far else "",
            _path(self.record),
            folder,
            replan=self.replan.isChecked(),
        )

    def _mark(self, error: PlacewiseError | None) -> None:
        """The field that an error is about looks wrong, if it is about one; no other does."""
        told = () if error is None else (error.value, error.where)
        fields = (self.scheduler, self.record, self.folder)  # a record that is the folder is wrong
        wrong = next((one for one in fields if str(_path(one)) in told or one.text() in told), None)
        for field in fields:
            mark_wrong(field, field is wrong)

    def _say(self, text: str, wrong: bool = False) -> None:
        self.message.setText(f"{SIGN} {text}" if wrong else text)
        mark_wrong(self.message, wrong)

    def _choose_folder(self) -> None:
        dialog = QFileDialog(self, "Folder of the run", self.folder.text())
        dialog.setObjectName("run_folder_dialog")
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        self._open(dialog, self.folder.setText)

    def _choose_record(self) -> None:
        dialog = QFileDialog(self, "Record of the run", str(Path(self.record.text()).parent))
        dialog.setObjectName("run_record_dialog")
        dialog.setNameFilter("Run records (*.csv)")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)  # runs are added to it
        dialog.setDefaultSuffix("csv")
        self._open(dialog, self.record.setText)

    def _open(self, dialog: QFileDialog, take: Callable[[str], object]) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(take)
        dialog.open()

    def _connect(self) -> None:
        self._listing_jobs.done.connect(self._take)
        self._listing_jobs.failed.connect(self._fail)
        self.way.currentIndexChanged.connect(lambda _place: self._fit_way())
        self.folder.textChanged.connect(self._keep_folder)
        for field in (self.scheduler, self.record):
            field.textChanged.connect(lambda _text: self._check())
        self.agree.toggled.connect(lambda _on: self._check())
        self.folder_button.clicked.connect(self._choose_folder)
        self.record_button.clicked.connect(self._choose_record)
        self.close_button.clicked.connect(self.reject)
        self.run_button.clicked.connect(self._run)

    def _lay_out(self) -> None:
        form = self._form
        form.setSpacing(GRID // 2)
        form.addRow("Run &with", self.way)
        form.addRow("&Scheduler", self.scheduler)
        for text, field, button in (
            ("&Folder", self.folder, self.folder_button),
            ("Recor&d", self.record, self.record_button),
        ):
            label = QLabel(text)
            label.setBuddy(field)
            form.addRow(label, _row(field, button))
        form.addRow("", self.replan)
        buttons = QHBoxLayout()
        buttons.addWidget(self.message, 1)
        buttons.addWidget(self.close_button)
        buttons.addWidget(self.run_button)
        body = QVBoxLayout(self)
        body.setContentsMargins(2 * GRID, 2 * GRID, 2 * GRID, 2 * GRID)
        body.setSpacing(GRID)
        body.addWidget(self.heading)
        body.addLayout(form)
        body.addWidget(self.table, 1)
        body.addWidget(self.agree)
        body.addLayout(buttons)


def _path(field: QLineEdit) -> Path:
    path = Path(field.text().strip())
    try:
        return path.expanduser()
    except RuntimeError:  # there is no such user
        return path


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"the folder can't be made: {error.strerror or error}",
            where=str(folder),
            remedy="Name another",
        ) from error


def _row(field: QLineEdit, button: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.addWidget(field, 1)
    row.addWidget(button)
    return row


def _field(name: str, hint: str) -> QLineEdit:
    field = QLineEdit()
    field.setObjectName(name)
    field.setToolTip(hint)
    return field


def _label(name: str) -> QLabel:
    label = QLabel()
    label.setObjectName(name)
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
