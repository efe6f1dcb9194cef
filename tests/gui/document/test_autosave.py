"""Crash recovery: kept until saved or declined, one folder a window, quiet when it can't be."""

from __future__ import annotations

import errno
import os
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from pytestqt.qtbot import QtBot

import gui.document.autosave as autosave_module
from advisor.project.project_file import read_project
from advisor.project.run_edits import add_runs
from gui.document.autosave import Autosave
from gui.document.document import Document
from tests.conftest import cluster, two_machines
from tests.gui.crashes import crashed
from tests.gui.runs import run


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "recovery"


def watched(document: Document, root: Path) -> Autosave:
    return Autosave(document, root, delay_ms=5)


def edit(document: Document) -> None:
    document.move_tasks(frozenset({0}), 1 - document.project.plan.allocation[0])


def test_an_edit_is_kept_a_moment_later_and_a_save_removes_it(
    qtbot: QtBot, document: Document, root: Path
) -> None:
    autosave = watched(document, root)
    edit(document)
    qtbot.waitUntil(lambda: autosave.file is not None and autosave.file.exists())
    document.undo_stack.setClean()
    assert autosave.file is None
    assert list(root.iterdir()) == []
    autosave.close()


def test_edits_without_a_pause_are_kept_all_the_same(
    qtbot: QtBot, document: Document, root: Path
) -> None:
    autosave = Autosave(document, root, delay_ms=60)
    edits = QTimer(interval=1)
    edits.timeout.connect(lambda: edit(document))
    edits.start()
    made = document.undo_stack
    qtbot.waitUntil(lambda: bool(autosave.file and autosave.file.exists()) or made.count() > 2000)
    assert autosave.file is not None
    assert autosave.file.exists()
    edits.stop()
    edit(document)
    # the last edit is kept, too
    qtbot.waitUntil(lambda: kept(autosave) == document.project.plan.allocation)
    autosave.discard()
    autosave.close()


def kept(autosave: Autosave) -> tuple[int, ...] | None:
    """The allocation in the recovery file."""
    if autosave.file is None or not autosave.file.exists():
        return None
    return read_project(autosave.file).plan.allocation


def test_a_slow_disk_gets_one_file_at_a_time_and_the_newest_last(
    qtbot: QtBot, document: Document, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reached, go_on, texts = threading.Event(), threading.Event(), []
    write = autosave_module.write_text

    def slow(path: Path, text: str) -> None:
        if path.name == "project.placewise":
            reached.set()
            assert go_on.wait(60)
            texts.append(text)
        write(path, text)

    monkeypatch.setattr(autosave_module, "write_text", slow)
    autosave = Autosave(document, root, delay_ms=0)
    edit(document)
    qtbot.waitUntil(reached.is_set)
    for _ in range(21):
        edit(document)
        qtbot.settle()  # the timer would have run out again
    assert texts == []
    go_on.set()
    qtbot.waitUntil(lambda: kept(autosave) == document.project.plan.allocation)
    assert len(texts) == 2
    autosave.discard()
    autosave.close()


def test_undoing_back_to_the_saved_state_removes_it(
    qtbot: QtBot, document: Document, root: Path
) -> None:
    autosave = watched(document, root)
    edit(document)
    qtbot.waitUntil(lambda: autosave.file is not None and autosave.file.exists())
    document.undo_stack.undo()
    assert list(root.iterdir()) == []
    autosave.close()


def test_what_a_crash_left_is_offered_and_restored(
    qtbot: QtBot, document: Document, root: Path
) -> None:
    crashed(root)
    autosave = watched(document, root)
    (leftover,) = autosave.leftovers()
    assert leftover.origin == Path("/somewhere/mine.placewise")
    project = leftover.read()
    assert autosave.take(leftover, project)
    assert document.project.plan.allocation[0] == 1
    assert document.path == leftover.origin
    assert document.digest == "as it was"  # so that saving asks if the file changed since
    assert document.modified
    # it stays until it is saved, even if this window crashes, too
    assert (leftover.folder / "project.placewise").exists()
    other = watched(Document(two_machines()), root)
    assert other.leftovers() == []
    other.close()
    document.undo_stack.setClean()
    assert not leftover.folder.exists()
    autosave.close()


def test_a_leftover_is_deleted_only_when_declined(
    qtbot: QtBot, document: Document, root: Path
) -> None:
    crashed(root, origin="")
    autosave = watched(document, root)
    (leftover,) = autosave.leftovers()
    assert leftover.origin is None
    assert len(autosave.leftovers()) == 1
    autosave.decline(leftover)
    assert autosave.leftovers() == []
    autosave.close()


def test_two_windows_keep_their_projects_apart(
    qtbot: QtBot, document: Document, cluster_document: Document, root: Path
) -> None:
    one, two = watched(document, root), watched(cluster_document, root)
    edit(document)
    cluster_document.move_tasks(frozenset({1}), 0)
    for autosave in (one, two):
        qtbot.waitUntil(lambda save=autosave: save.file is not None and save.file.exists())
    assert one.file != two.file
    assert one.leftovers() == two.leftovers() == []  # both windows are alive
    document.undo_stack.setClean()
    assert two.file is not None
    assert two.file.exists()
    for autosave in (one, two):
        autosave.discard()
        autosave.close()


def test_two_windows_can_not_restore_the_same_leftover(
    qtbot: QtBot, document: Document, cluster_document: Document, root: Path
) -> None:
    crashed(root)
    one, two = watched(document, root), watched(cluster_document, root)
    first, second = one.leftovers()[0], two.leftovers()[0]
    assert one.take(first, first.read())
    before = cluster_document.project
    assert not two.take(second, second.read())
    assert cluster_document.project is before
    one.discard()
    for autosave in (one, two):
        autosave.close()


def test_a_damaged_leftover_is_an_input_error(qtbot: QtBot, document: Document, root: Path) -> None:
    from machines.errors import InputError

    folder = root / "abc"
    folder.mkdir(parents=True)
    (folder / "project.placewise").write_text("{", encoding="utf-8")
    (folder / "origin").write_text("", encoding="utf-8")
    autosave = watched(document, root)
    with pytest.raises(InputError):
        autosave.leftovers()[0].read()
    autosave.close()


def test_a_place_that_can_not_be_written_is_told_once(
    qtbot: QtBot, document: Document, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    autosave = watched(document, tmp_path / "file" / "recovery")
    told: list[str] = []
    autosave.warning.connect(told.append)
    edit(document)
    qtbot.waitUntil(lambda: bool(told))
    edit(document)
    cluster_project = cluster()
    document.load(cluster_project, saved=False)
    document.move_tasks(frozenset({1}), 0)
    qtbot.waitUntil(lambda: not autosave._waiting)
    assert len(told) == 1
    assert "not protected" in told[0]
    autosave.close()


def test_a_full_disk_keeps_what_was_kept_and_is_told(
    qtbot: QtBot, document: Document, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    autosave = watched(document, root)
    told: list[str] = []
    autosave.warning.connect(told.append)
    edit(document)
    qtbot.waitUntil(lambda: autosave.file is not None and autosave.file.exists())
    qtbot.waitUntil(lambda: not autosave._waiting)
    assert autosave.file is not None
    kept = autosave.file.read_bytes()

    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    document.move_tasks(frozenset({1}), 1)
    qtbot.waitUntil(lambda: bool(told))
    assert "not protected" in told[0]
    assert autosave.file.read_bytes() == kept
    autosave.close()


def test_runs_are_recovered_with_the_project(qtbot: QtBot, document: Document, root: Path) -> None:
    autosave = watched(document, root)
    document.apply(add_runs(document.project, (run(),)), "Import run")
    qtbot.waitUntil(lambda: autosave.file is not None and autosave.file.exists())
    assert autosave.file is not None
    assert read_project(autosave.file).runs == document.project.runs
    autosave.discard()
    autosave.close()
