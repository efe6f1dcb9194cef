"""What of the board is unfolded: loads of lanes, the section below them, the network, and more.

A matter of the view: kept in the settings, never in a project, and no step of undo.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from gui.basics.settings import Settings

_SECTION, _PICTURE, _NO_PICTURE, _LANE = "section", "picture", "no picture", "lane "
_SLACK, _UTILISATION, _NO_RUN, _IDLE = "slack", "utilisation", "no run", "idle"


class Folds(QObject):
    """What is unfolded; `changed` when that is something else.

    `lanes`: names of the machines under whose lanes loads are shown.
    `section`: whether links, switches and stores are shown below the lanes.
    `picture`: whether the network's picture is shown; ``None``: where there is something to see.
    `slack`, `utilisation`: whether slack is shown behind bars, and utilisation beside the names of
        machines.
    `run`: whether a run that was imported is shown beside the plan.
    `idle`: whether idle machines that are alike have a lane each.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("board-folds")
        self.lanes: frozenset[str] = frozenset()
        self.section = False
        self.picture: bool | None = None
        self.slack = self.utilisation = self.idle = False
        self.run = True
        self._settings: Settings | None = None

    def remember(self, settings: Settings) -> None:
        """Take what was kept, and keep what changes from now on."""
        self._settings = settings
        kept = set(settings.unfolded)
        self.section = _SECTION in kept
        self.slack, self.utilisation = _SLACK in kept, _UTILISATION in kept
        self.run, self.idle = _NO_RUN not in kept, _IDLE in kept
        self.picture = {True: True, False: False if _NO_PICTURE in kept else None}[_PICTURE in kept]
        self.lanes = frozenset(one.removeprefix(_LANE) for one in kept if one.startswith(_LANE))
        self.changed.emit()

    def toggle_lane(self, name: str) -> bool:
        """Unfold the loads of a machine's links, or fold them; whether they are shown now."""
        self.lanes ^= {name}
        self._keep()
        return name in self.lanes

    def toggle_idle(self) -> bool:
        """Give idle machines that are alike a lane each, or one; whether each has its own now."""
        self.idle = not self.idle
        self._keep()
        return self.idle

    def toggle_section(self) -> bool:
        """Unfold the section below the lanes, or fold it; whether it is shown now."""
        self.section = not self.section
        self._keep()
        return self.section

    def set_all(self, unfolded: bool, names: frozenset[str]) -> None:
        """Unfold the section and the lanes of these machines, or fold everything."""
        self.section, self.lanes = unfolded, names if unfolded else frozenset()
        self._keep()

    def set_picture(self, shown: bool) -> None:
        """Show the network's picture, or put it away."""
        self.picture = shown
        self._keep()

    def set_extras(self, slack: bool, utilisation: bool) -> None:
        """Show slack and utilisation, or not."""
        self.slack, self.utilisation = slack, utilisation
        self._keep()

    def set_run(self, shown: bool) -> None:
        """Show what happened beside the plan, or the plan alone."""
        self.run = shown
        self._keep()

    def _keep(self) -> None:
        if self._settings is not None:
            picture = {True: [_PICTURE], False: [_NO_PICTURE], None: []}[self.picture]
            section = [_SECTION] if self.section else []
            lanes = [_LANE + name for name in sorted(self.lanes)]
            slack = [_SLACK] if self.slack else []
            busy = [_UTILISATION] if self.utilisation else []
            run, idle = [] if self.run else [_NO_RUN], [_IDLE] if self.idle else []
            self._settings.unfolded = (*section, *picture, *slack, *busy, *run, *idle, *lanes)
        self.changed.emit()
