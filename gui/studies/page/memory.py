"""What the user entered in the forms of studies: kept on disk between starts, and over a crash.

One small file a study, with the settings that are not at their defaults as the command line takes
them. A damaged file, or a setting that is not right any more, counts as absent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from advisor.basics import json_text
from advisor.studies.parameters import Parameter, parameters_of, parsed, written
from advisor.studies.study import Study
from gui.basics.background_jobs import LatestWins
from machines.errors import PlacewiseError
from machines.files import MIB, read_bytes, refusal, write_text

DELAY_MS = 500
_LIMIT_BYTES = 256 * MIB


class StudyMemory(QObject):
    """Keeps the settings of all studies.

    `folder`: of the files. `delay_ms`: how long after an entry they are written, off the window's
    thread.
    """

    warning = Signal(object)  # str, told once, when they can't be kept

    def __init__(
        self, folder: Path, parent: QObject | None = None, delay_ms: int = DELAY_MS
    ) -> None:
        super().__init__(parent)
        self._folder = folder
        self._unwritten: dict[str, dict[str, str]] = {}
        self._warned = False
        self._jobs = LatestWins(self, "study memory")
        self._jobs.done.connect(self._forget)
        self._jobs.failed.connect(self._warn)
        self._timer = QTimer(self, singleShot=True, interval=delay_ms)
        self._timer.timeout.connect(self._write)

    @property
    def is_busy(self) -> bool:
        """Whether something is not on disk yet."""
        return self._timer.isActive() or self._jobs.is_busy

    def values(self, study: Study) -> dict[str, object]:
        """The settings that were kept, as far as they are right."""
        try:
            kept = json_text.parse(read_bytes(self._file(study.name), _LIMIT_BYTES), study.name)
        except PlacewiseError:
            return {}
        if not isinstance(kept, dict):
            return {}
        found: dict[str, object] = {}
        for one in _settings(study):
            names = (one.name, *one.formerly)
            text = next((kept[name] for name in names if name in kept), None)
            if isinstance(text, str):
                with suppress(PlacewiseError):
                    found[one.name] = parsed(one, text)
        return found

    def keep(self, study: Study, values: Mapping[str, object]) -> None:
        """Write the settings soon."""
        self._unwritten[study.name] = {
            one.name: written(values[one.name])
            for one in _settings(study)
            if values.get(one.name, one.default) != one.default
        }
        self._timer.start()

    def close(self) -> None:
        """Write what is waiting, and end the worker."""
        self._timer.stop()
        self._jobs.close()
        if self._unwritten:
            with suppress(PlacewiseError):
                self._write_all(self._unwritten)

    def _write(self) -> None:
        waiting = dict(self._unwritten)

        def job(_should_stop: object) -> dict[str, dict[str, str]]:
            self._write_all(waiting)
            return waiting

        self._jobs.request(job)

    def _write_all(self, waiting: Mapping[str, Mapping[str, str]]) -> None:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise refusal("can't be created", self._folder, error) from error
        for name, settings in waiting.items():
            write_text(self._file(name), json.dumps(settings, ensure_ascii=False, indent=1))

    def _forget(self, written: object) -> None:
        if isinstance(written, dict):
            for name, settings in written.items():
                if self._unwritten.get(name) == settings:
                    del self._unwritten[name]

    def _warn(self, error: PlacewiseError) -> None:
        if not self._warned:
            self._warned = True
            self.warning.emit(f"The parameters of studies can't be kept: {error}")

    def _file(self, name: str) -> Path:
        return self._folder / f"{name}.json"


def _settings(study: Study) -> list[Parameter]:
    return [one for one in parameters_of(study.record) if one.is_setting and one.in_forms]
