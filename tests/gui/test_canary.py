"""A canary: some PySide6 releases lose references to None and True in signals and then abort."""

from __future__ import annotations

import sys

from PySide6.QtCore import QObject, Qt, Signal
from pytestqt.qtbot import QtBot

EMISSIONS = 2000


class Sender(QObject):
    direct = Signal(object)
    queued = Signal(object)
    flag = Signal(bool)


def test_thousands_of_signals_with_none_and_true_arrive(qtbot: QtBot) -> None:
    sender = Sender()
    direct: list[object] = []
    queued: list[object] = []
    flags: list[bool] = []
    sender.direct.connect(direct.append)
    sender.queued.connect(queued.append, Qt.ConnectionType.QueuedConnection)
    sender.flag.connect(flags.append)
    before = sys.getrefcount(None)
    for number in range(EMISSIONS):
        value = (None, True, False)[number % 3]
        sender.direct.emit(value)
        sender.queued.emit(value)
        sender.flag.emit(bool(value))
    qtbot.waitUntil(lambda: len(queued) == EMISSIONS)
    assert direct == queued == [(None, True, False)[n % 3] for n in range(EMISSIONS)]
    assert flags.count(True) == len([n for n in range(EMISSIONS) if n % 3 == 1])
    if sys.version_info < (3, 12):  # from there on None is not counted (PEP 683)
        # every lost reference brings the interpreter closer to an abort
        assert sys.getrefcount(None) > before - EMISSIONS // 10
