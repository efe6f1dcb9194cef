"""Starting: the command line without Qt, the window with a display, a way out without one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSize
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from advisor import kernels
from advisor.basics.stop_rule import ShouldStop
from advisor.campaigns.campaign_file import campaign_path
from gui.basics.error_messages import ErrorDialog
from gui.basics.settings import Settings
from gui.basics.theme import theme
from gui.shell import app, campaigning, launch
from gui.shell.main_window import MainWindow
from gui.studies.picture.pictures import VIEWS
from tests.dask_cluster import scheduler
from tests.gui.shell.launching import launched

ROOT = Path(__file__).resolve().parents[3]


def test_without_a_display_it_says_so_and_how_to_do_without() -> None:
    kept = {name: value for name, value in os.environ.items() if "DISPLAY" not in name}
    kept.pop("QT_QPA_PLATFORM", None)
    done = subprocess.run(
        [sys.executable, "-m", "gui"],
        env=kept, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "no display" in done.stderr
    assert "placewise advise" in done.stderr


def test_an_example_without_a_display_is_advised_instead(tmp_path: Path) -> None:
    done = launched(tmp_path, "--example", "two-machines-loaded")
    assert done.returncode == 0
    assert "no display" in done.stderr
    assert "38" in done.stdout


@pytest.mark.parametrize(
    ("environment", "says"),
    [
        (
            {"DISPLAY": ":99", "QT_QPA_PLATFORM": "xcb"},
            "could not connect to display :99|apt install",
        ),
        ({"QT_QPA_PLATFORM": "nonsense", "LC_ALL": "C"}, "nonsense"),  # Qt warns of "C" first
    ],
)
def test_a_display_that_does_not_answer_is_told_as_none_is(
    environment: dict[str, str], says: str, tmp_path: Path
) -> None:
    done = launched(tmp_path, "--example", "two-machines-loaded", **environment)
    assert done.returncode == 0
    assert re.search(rf"the window can't be opened \(.*({says})", done.stderr)
    assert "Qt platform plugin could be initialized" not in done.stderr
    assert "38" in done.stdout


def test_the_command_line_needs_no_qt(tmp_path: Path) -> None:
    code = (
        "import sys; from gui.shell.launch import main; status = main(['catalogue']); "
        "assert not [m for m in sys.modules if m.startswith(('PySide6', 'pyqtgraph'))]; "
        "sys.exit(status)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, timeout=300)


def test_the_engine_is_loaded_without_what_the_first_paint_can_do_without() -> None:
    code = (
        "import sys; from gui.shell.launch import load_engine; load_engine(); print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=300
    )
    later = {"scipy", "numba", "PySide6", "advisor.studies.styles.run", "advisor.export.launchers"}
    assert not later & set(done.stdout.split())


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--nonsense"], "unknown option --nonsense"),
        ([__file__, "b.json"], "no such file: 'b.json'"),
        (["frobnicate"], "no such command or file: 'frobnicate'"),
        (["advice", "w.toml"], 'Did you mean "advise"?'),
        (["x" * 5000], "no such command or file"),
        (["--example"], "which example"),
    ],
)
def test_wrong_arguments_are_told(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert launch.main(arguments) == 2
    told = capsys.readouterr().err
    assert says in told
    assert told.count("\n") == 1
    assert len(told) < 500


def test_ctrl_c_while_importing_is_one_line_and_status_130(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Interrupted:
        def __getattr__(self, name: str) -> object:
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "advisor.commands", Interrupted())
    assert launch.main(["advise", "w.toml"]) == 130
    assert capsys.readouterr().err == "placewise: stopped\n"


def test_an_unknown_example_without_a_display_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(launch, "has_display", lambda *_: False)
    assert launch.main(["--example", "nonsense"]) == 2
    assert "nonsense" in capsys.readouterr().err


def test_help_and_version_go_to_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert launch.main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("placewise ")
    assert launch.main(["--help"]) == 0
    assert "advise" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("environment", "system", "expected"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"QT_QPA_PLATFORM": "offscreen"}, "linux", True),
        ({"DISPLAY": ""}, "linux", False),
        ({}, "darwin", True),
        ({}, "win32", True),
    ],
)
def test_a_display_is_recognised(environment: dict[str, str], system: str, expected: bool) -> None:
    assert launch.has_display(environment, system) is expected


@pytest.fixture
def made(qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """`made(path, …)` or `made(example=…)` makes windows as `run` does, and takes them down."""
    Settings().clear()
    hooks = sys.excepthook, threading.excepthook
    windows: list[MainWindow] = []

    def make(*paths: Path, example: str = "") -> MainWindow:
        windows.append(app.make_window(qapp, paths, example))
        return windows[-1]

    yield make
    sys.excepthook, threading.excepthook = hooks
    for window in windows:
        window.end_jobs()
        window.document.undo_stack.setClean()
        window.close()
        window.deleteLater()
        QCoreApplication.sendPostedEvents(window, QEvent.Type.DeferredDelete)


def test_it_paints_first_and_loads_the_kernels_afterwards(
    qtbot: QtBot, made, monkeypatch: pytest.MonkeyPatch
) -> None:  # type: ignore[no-untyped-def]
    loaded: list[str] = []
    monkeypatch.setattr(
        app, "_load_kernels", lambda *_: loaded.append(threading.current_thread().name)
    )
    window = made(example="two-machines-loaded")
    startup = app.Startup(window)
    order: list[str] = []
    startup.painted.connect(lambda: order.append(f"painted, {len(loaded)} loaded"))
    with qtbot.waitSignal(startup.ready):
        window.show()
    assert order == ["painted, 0 loaded"]
    assert loaded == ["kernels"]
    qtbot.waitUntil(lambda: window.document.outcome is not None)
    lazy = window.lazy["what_if"]
    qtbot.waitUntil(lambda: lazy.widget is not None or not lazy.isVisible())


def test_the_window_need_not_wait_long_for_threads_that_compute_in_python(
    made, monkeypatch: pytest.MonkeyPatch
) -> None:  # type: ignore[no-untyped-def]
    taken: list[float] = []
    monkeypatch.setattr(sys, "setswitchinterval", taken.append)
    app.Startup(made())
    assert taken == [app.SWITCH_S]
    assert app.SWITCH_S < 0.005 / 5  # of Python's own


def test_the_pages_are_imported_after_the_kernels_on_a_thread_that_makes_none_of_them(
    qtbot: QtBot, made, monkeypatch: pytest.MonkeyPatch
) -> None:  # type: ignore[no-untyped-def]
    order: list[str] = []
    load = app._load_pages

    def loads(should_stop: ShouldStop) -> None:
        load(should_stop)
        order.append(threading.current_thread().name)

    monkeypatch.setattr(app, "_load_kernels", lambda *_: order.append("loaded"))
    monkeypatch.setattr(app, "_load_pages", loads)
    window = made(example="two-machines-loaded")
    app.Startup(window)
    window.show()
    qtbot.waitUntil(lambda: order == ["loaded", "pages"])
    assert {view.module for view in VIEWS.values()} <= sys.modules.keys()
    assert all(window.built(name) is None for name in ("styles", "trees", "compare", "evidence"))


def test_the_plain_kernels_serve_and_the_status_bar_says_so_until_the_fast_ones_are_there(
    qtbot: QtBot, made, monkeypatch: pytest.MonkeyPatch
) -> None:  # type: ignore[no-untyped-def]
    compiled, loaded = threading.Event(), []
    monkeypatch.setattr(kernels, "ready", compiled.is_set)
    monkeypatch.setattr(kernels, "prepare", lambda _should_stop: compiled.wait(300))
    monkeypatch.setattr(kernels, "load", lambda: loaded.append(True))
    window = made(example="two-machines-loaded")
    startup = app.Startup(window)
    window.show()
    line = window.line
    qtbot.waitUntil(lambda: line.job.isVisible() and line.job.text() == app.PREPARING)
    assert line.fontMetrics().horizontalAdvance(app.PREPARING) <= line.job.contentsRect().width()
    assert not line.cancel_button.isVisible()
    qtbot.waitUntil(lambda: window.document.outcome is not None)
    assert loaded == []
    with qtbot.waitSignal(startup.ready):
        compiled.set()
    assert loaded == [True]
    assert line.job.text() != app.PREPARING or not line.job.isVisible()


def test_without_a_place_for_them_the_plain_kernels_go_on_serving(
    qtbot: QtBot, made, monkeypatch: pytest.MonkeyPatch
) -> None:  # type: ignore[no-untyped-def]
    loaded: list[bool] = []
    monkeypatch.setattr(kernels, "ready", lambda: False)
    monkeypatch.setattr(kernels, "prepare", lambda _should_stop: False)
    monkeypatch.setattr(kernels, "load", lambda: loaded.append(True))
    window = made(example="two-machines-loaded")
    startup = app.Startup(window)
    with qtbot.waitSignal(startup.ready):
        window.show()
    assert loaded == []


def test_the_first_start_shows_the_start_page(qtbot: QtBot, made) -> None:  # type: ignore[no-untyped-def]
    window = made()
    window.show()
    assert window.welcome.isVisible()


def test_the_board_behind_the_start_page_is_predicted_once_it_is_seen(qtbot: QtBot, made) -> None:  # type: ignore[no-untyped-def]
    window = made()
    assert window.document.outcome is None
    window.commands["page_allocation"].trigger()
    qtbot.waitUntil(lambda: window.document.outcome is not None)
    assert not window.on_start_page


def test_a_file_on_the_command_line_is_opened_or_its_error_shown(
    qtbot: QtBot, made, tmp_path: Path
) -> None:  # type: ignore[no-untyped-def]
    from advisor.project.project_file import write_project
    from tests.conftest import cluster

    path = tmp_path / "mine.placewise"
    write_project(cluster(), path)
    window = made(path)
    qtbot.waitUntil(lambda: window.document.path == path)
    other = made(tmp_path / "nothing.json")
    qtbot.waitUntil(lambda: other.findChild(ErrorDialog) is not None)
    assert "nothing.json" in other.findChild(ErrorDialog).text()
    qtbot.waitUntil(lambda: other.on_start_page)
    other.findChild(ErrorDialog).reject()
    assert not window.on_start_page


def test_several_files_on_the_command_line_make_one_project(
    qtbot: QtBot, made, tmp_path: Path
) -> None:  # type: ignore[no-untyped-def]
    from advisor.project.workload_file import dump_workload
    from machines.formats.platform_toml import dump_platform
    from tests.conftest import cluster

    project = cluster()
    for name, text in (
        ("tasks.toml", dump_workload(project.workload)),
        ("site.toml", dump_platform(project.platform)),
    ):
        (tmp_path / name).write_text(text)
    words = [str(tmp_path / "tasks.toml"), str(tmp_path / "site.toml")]
    window = made(*launch._parse(words, ())[0])
    qtbot.waitUntil(lambda: window.document.project.platform == project.platform)
    assert window.document.project.workload == project.workload
    assert launch._parse([*words, "nowhere.toml"], ())[2] == "no such file: 'nowhere.toml'"


def test_an_address_on_the_command_line_is_opened(qtbot: QtBot, made) -> None:  # type: ignore[no-untyped-def]
    with scheduler() as address:
        paths, example, problem = launch._parse([address], ())
        assert (example, problem) == ("", "")
        window = made(*paths)
        qtbot.waitUntil(lambda: len(window.document.project.platform.machines) == 2)


def test_an_unknown_example_is_told_on_the_start_page(qtbot: QtBot, made) -> None:  # type: ignore[no-untyped-def]
    window = made(example="multicomputers")
    qtbot.waitUntil(lambda: window.on_start_page)
    dialog = window.findChild(ErrorDialog)
    assert 'Did you mean "multicomputer"?' in dialog.text()
    dialog.reject()


def test_a_campaign_on_the_command_line_is_opened_before_a_board_that_is_predicted(
    qtbot: QtBot, made
) -> None:  # type: ignore[no-untyped-def]
    window = made(campaign_path(campaigning.EXAMPLE))
    qtbot.waitUntil(lambda: window.campaigns.state is not None)
    qtbot.waitUntil(lambda: window.document.outcome is not None)
    assert not window.on_start_page
    assert window.pages.currentWidget() is window.lazy["campaign"]


def test_an_unexpected_error_opens_a_dialog_and_the_project_stays(
    qtbot: QtBot, made, capfd: pytest.CaptureFixture[str]
) -> None:  # type: ignore[no-untyped-def]
    window = made()
    project = window.document.project
    error = ZeroDivisionError("a defect")
    sys.excepthook(type(error), error, None)
    qtbot.waitUntil(lambda: window.findChild(ErrorDialog) is not None)
    text = window.findChild(ErrorDialog).text()
    assert "ZeroDivisionError: a defect" in text
    assert "can be saved" in text
    assert window.document.project is project
    assert "a defect" in capfd.readouterr().err
    window.findChild(ErrorDialog).reject()


def test_an_unexpected_error_of_a_thread_opens_the_dialog_too(
    qtbot: QtBot, made, capfd: pytest.CaptureFixture[str]
) -> None:  # type: ignore[no-untyped-def]
    window = made()

    def fail() -> None:
        error = ZeroDivisionError("in a thread")
        threading.excepthook(threading.ExceptHookArgs((type(error), error, None, None)))

    thread = threading.Thread(target=fail)
    thread.start()
    qtbot.waitUntil(lambda: window.findChild(ErrorDialog) is not None)
    thread.join()
    window.findChild(ErrorDialog).reject()


def test_an_interrupt_closes_the_window(qtbot: QtBot, made) -> None:  # type: ignore[no-untyped-def]
    window = made()
    window.show()
    sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert not window.isVisible()


def test_run_opens_the_window_until_it_is_closed(
    qtbot: QtBot, qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    Settings().clear()
    monkeypatch.setattr(app, "_load_kernels", lambda *_: None)
    hooks = sys.excepthook, threading.excepthook
    seen: list[bool] = []

    def close() -> None:
        windows = [w for w in qapp.topLevelWidgets() if isinstance(w, MainWindow)]
        (window,) = [window for window in windows if window.isVisible()]
        seen.append(window.isVisible())
        window.close()
        window.deleteLater()

    monkeypatch.setattr(QApplication, "exec", lambda *_: (close(), 0)[1])
    assert launch.main([]) == 0
    assert seen == [True]
    sys.excepthook, threading.excepthook = hooks


def test_a_screen_smaller_than_the_window_is_filled_by_it(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1440, 896)
    app.fit_to_screen(window, QSize(1920, 1040))
    assert (window.size(), window.isMaximized()) == (QSize(1440, 896), False)
    app.fit_to_screen(window, QSize(1366, 728))
    assert (window.size(), window.isMaximized()) == (QSize(1366, 728), True)


def test_the_system_theme_is_followed(qtbot: QtBot, made) -> None:  # type: ignore[no-untyped-def]
    from PySide6.QtCore import Qt

    made()
    changes: list[int] = []
    theme().changed.connect(lambda: changes.append(1))
    app._follow_system(Qt.ColorScheme.Dark)
    assert changes == [1]
    theme().set_mode("dark")
    app._follow_system(Qt.ColorScheme.Light)
    assert theme().dark


def test_what_two_threads_import_parts_of_is_imported_before_they_begin() -> None:
    # as an importing thread takes a package out for a moment, see `SHARED`
    window = "import gui.shell.app, gui.board.board_view, gui.panels.answer_strip, gui.inspector"
    kernels = "from advisor import kernels, studies; kernels.load(); list(studies.STUDIES.values())"
    pages = (
        "import gui.plots.region_items, gui.panels.compare_panel, gui.studies.page.study_panel, "
        "gui.panels.evidence_panel, gui.campaign.page"
    )
    code = (
        "import sys; exec(sys.argv[1]); before = set(sys.modules); exec(sys.argv[2]); "
        "print(*(name for name, one in sys.modules.items() "
        "if name not in before and hasattr(one, '__path__')))"
    )
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    both = [
        subprocess.Popen(
            [sys.executable, "-c", code, window, more],
            cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True,
        )
        for more in (kernels, pages)
    ]  # fmt: skip
    found = [process.communicate()[0].split() for process in both]
    assert "numba" in found[0]
    assert "pyqtgraph" in found[1]
    assert set(found[0]) & set(found[1]) == set(app.SHARED)
