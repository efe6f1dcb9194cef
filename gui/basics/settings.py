"""What the window remembers between starts: layout, theme, recent files, whether it is new here.

One INI file in the user's configuration folder; a damaged or foreign value counts as absent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QByteArray, QSettings, QStandardPaths

RECENT = 10
AGREED = 200  # lists of commands that the user agreed to run, the newest
SEARCH_S, LONGEST_SEARCH_S = 10, 3600


class Settings:
    """Typed access to the stored values; every setter writes through."""

    def __init__(self) -> None:
        self._store = QSettings(
            QSettings.Format.IniFormat, QSettings.Scope.UserScope, "placewise", "placewise"
        )

    @property
    def theme(self) -> str:
        """The theme: "system", "light" or "dark"."""
        value = self._store.value("theme")
        return value if value in {"light", "dark"} else "system"

    @theme.setter
    def theme(self, mode: str) -> None:
        self._store.setValue("theme", mode)

    @property
    def animations(self) -> bool:
        """Whether changes on the board settle with a short movement."""
        return bool(self._store.value("animations") != "off")

    @animations.setter
    def animations(self, on: bool) -> None:
        self._store.setValue("animations", "on" if on else "off")

    @property
    def advise_seconds(self) -> int:
        """Effort of a search that is asked for, in seconds."""
        value = str(self._store.value("advise_seconds", ""))
        seconds = int(value) if value.isascii() and value.isdigit() and len(value) < 6 else 0
        return seconds if 1 <= seconds <= LONGEST_SEARCH_S else SEARCH_S

    @advise_seconds.setter
    def advise_seconds(self, seconds: int) -> None:
        self._store.setValue("advise_seconds", str(seconds))

    @property
    def kind_colours(self) -> bool:
        """Whether the board's colours tell kinds of task, where there are any."""
        return bool(self._store.value("kind_colours") != "off")

    @kind_colours.setter
    def kind_colours(self, on: bool) -> None:
        self._store.setValue("kind_colours", "on" if on else "off")

    @property
    def scheduler(self) -> str:
        """Address of the Dask scheduler whose workers compute; empty: this machine."""
        value = self._store.value("scheduler")
        return value.strip() if isinstance(value, str) else ""

    @scheduler.setter
    def scheduler(self, address: str) -> None:
        self._store.setValue("scheduler", address.strip())

    @property
    def welcomed(self) -> bool:
        """Whether the tour was offered before."""
        return bool(self._store.value("welcomed") == "yes")

    @welcomed.setter
    def welcomed(self, welcomed: bool) -> None:
        self._store.setValue("welcomed", "yes" if welcomed else "no")

    @property
    def recent(self) -> tuple[Path, ...]:
        """Files opened or saved last, newest first."""
        value = self._store.value("recent")
        names = [value] if isinstance(value, str) else value
        if not isinstance(names, list):
            return ()
        return tuple(Path(name) for name in names if isinstance(name, str) and name)[:RECENT]

    @property
    def named_recent(self) -> tuple[tuple[Path, str], ...]:
        """Recent files and what to call each: its name, with its folder where several share one."""
        paths = self.recent
        count = Counter(path.name for path in paths)
        return tuple(
            (path, path.name if count[path.name] == 1 else f"{path.name}, in {path.parent.name}")
            for path in paths
        )

    def add_recent(self, path: Path) -> None:
        """Put `path` first among the recent files."""
        path = path.absolute()
        self._write_recent((path, *(other for other in self.recent if other != path)))

    def remove_recent(self, path: Path) -> None:
        """Forget a file that is no longer there."""
        self._write_recent(other for other in self.recent if other != path)

    def clear_recent(self) -> None:
        """Forget all recent files."""
        self._write_recent(())

    def _write_recent(self, paths: Iterable[Path]) -> None:
        self._store.setValue("recent", [str(path) for path in paths][:RECENT])

    @property
    def unfolded(self) -> tuple[str, ...]:
        """Parts of the board that are unfolded, by the names that it gives them."""
        value = self._store.value("unfolded")
        names = [value] if isinstance(value, str) else value
        if not isinstance(names, list):
            return ()
        return tuple(name for name in names if isinstance(name, str) and name)

    @unfolded.setter
    def unfolded(self, names: tuple[str, ...]) -> None:
        self._store.setValue("unfolded", list(names))

    @property
    def campaign(self) -> tuple[Path, Path] | None:
        """The campaign that was open last: its file, or its results, and where these are."""
        value = self._store.value("campaign")
        if not isinstance(value, list) or len(value) != 2:
            return None
        return (Path(value[0]), Path(value[1])) if all(isinstance(v, str) for v in value) else None

    @campaign.setter
    def campaign(self, places: tuple[Path, Path]) -> None:
        self._store.setValue("campaign", [str(place.absolute()) for place in places])

    def agreed(self, digest: str) -> bool:
        """Whether the user agreed to run the commands of this digest."""
        return digest in self._agreed

    def agree(self, digest: str) -> None:
        """The user agreed to run the commands of this digest."""
        others = [one for one in self._agreed if one != digest]
        self._store.setValue("agreed", [digest, *others][:AGREED])

    @property
    def _agreed(self) -> list[str]:
        value = self._store.value("agreed")
        digests = [value] if isinstance(value, str) else value
        return [one for one in digests if isinstance(one, str)] if isinstance(digests, list) else []

    def layout(self, name: str) -> QByteArray | None:
        """The stored bytes of "geometry", "state" or "shares"."""
        value = self._store.value(f"layout/{name}")
        return value if isinstance(value, QByteArray) and not value.isEmpty() else None

    def set_layout(self, name: str, value: QByteArray) -> None:
        """Store the bytes of "geometry", "state" or "shares"."""
        self._store.setValue(f"layout/{name}", value)

    def clear(self) -> None:
        """Forget everything."""
        self._store.clear()

    def clear_layout(self) -> None:
        """Forget the layout."""
        self._store.remove("layout")


def recovery_folder() -> Path:
    """Where unsaved projects are kept in case the program ends unexpectedly."""
    return _data_folder() / "recovery"


def open_files_folder() -> Path:
    """Where windows tell each other which files they have open."""
    return _data_folder() / "open"


def runs_folder() -> Path:
    """Where plans of projects without a file are carried out, unless the user says where."""
    return _data_folder() / "runs"


def campaigns_folder() -> Path:
    """Where results of the campaigns that ship are kept."""
    return _data_folder() / "campaigns"


def study_folder() -> Path:
    """Where the parameters of studies are kept."""
    return _data_folder() / "studies"


def _data_folder() -> Path:
    location = QStandardPaths.StandardLocation.GenericDataLocation
    return Path(QStandardPaths.writableLocation(location)) / "placewise"
