"""The command line: files in and out, refusals, exit statuses."""

from __future__ import annotations

import gzip
import io
import json
import logging
import os
import signal
import sys
import threading
from importlib import metadata
from pathlib import Path

import pytest

from advisor.commands import cli, inputs
from advisor.commands.interrupts import interruptible
from advisor.commands.text import columns
from advisor.project.project_file import write_project
from machines import catalogue
from tests.advisor.commands.asking import ADVISE, PLATFORM, WORKLOAD, Capture, answer, answer_json
from tests.conftest import two_machines


def test_a_plan_is_exported_from_another_folder(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    advice = answer_json(capsys, *ADVISE)
    (folder / "plan.json").write_text(json.dumps(advice), encoding="utf-8")
    elsewhere = folder / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    arguments = ("export", "../plan.json", "--to", "csv", "--output", "s.csv")
    assert answer(capsys, *arguments) == (0, "", "")
    assert "38.0" in (elsewhere / "s.csv").read_text(encoding="utf-8")


def test_a_project_is_exported(folder: Path, capsys: Capture) -> None:
    write_project(two_machines(), folder / "x.placewise")
    arguments = ("export", "x.placewise", "--to", "csv", "--output", "s.csv")
    assert answer(capsys, *arguments) == (0, "", "")
    assert (folder / "s.csv").exists()


def test_a_study_is_run_with_settings(folder: Path, capsys: Capture) -> None:
    files = ("--set", "workload=w.toml", "--set", "platform=p.toml")
    found = answer_json(capsys, "study", "decision-map", *files, "--set", "points=5")
    grid = found["map"]
    assert isinstance(grid, dict)
    assert len(grid["region"]) == 5
    status, out, _ = answer(capsys, "study", "allocation", *files, "--set", "objective=total")
    assert status == 0
    assert out.startswith("Run A on M2, B on M1: total 38.0 s.")


def test_the_catalogue_lists_and_shows_what_ships(capsys: Capture) -> None:
    status, out, _ = answer(capsys, "catalogue")
    assert status == 0
    for entry in catalogue.entries():
        assert entry.name in out
        status, text, _ = answer(capsys, "catalogue", entry.name)
        assert status == 0
        assert f"# {entry.title}" in text
        assert 'format = "placewise-platform"' in text


def test_a_name_of_the_catalogue_serves_as_platform(folder: Path, capsys: Capture) -> None:
    work = WORKLOAD.replace("seconds = { M1 = 12.0, M2 = 18.0 }", "work = 1.0")
    work = work.replace("seconds = { M1 = 4.0, M2 = 30.0 }", "work = 2.0")
    work = work.replace('seconds = { "M1>M2" = 7.0, "M2>M1" = 8.0 }', "data_sets = [[1, 10]]")
    (folder / "free.toml").write_text(work, encoding="utf-8")
    name = catalogue.entries()[0].name
    assert answer_json(capsys, "advise", "free.toml", "--platform", name)["allocation"]


def test_published_figures_are_set_against_the_models(capsys: Capture) -> None:
    found = answer_json(capsys, "validate")
    figures = found["figures"]
    assert isinstance(figures, list)
    assert figures
    status, out, _ = answer(capsys, "validate")
    assert status == 0
    assert "published numbers" in out.splitlines()[0]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("advise", "none.toml", "--platform", "p.toml"), "none.toml"),
        (("advise", ".", "--platform", "p.toml"), "folder"),
        (("advise", "w.toml", "--platform", "nowhere"), "catalogue"),
        (("advise", "w.toml", "--platform", "none.toml"), "none.toml"),
        (("advise", "w.toml"), "--platform"),
        (("advise", "noise.toml", "--platform", "p.toml"), "noise.toml"),
        ((*ADVISE, "--strategy", "luck"), "luck"),
        ((*ADVISE, "--seconds", "never"), "never"),
        ((*ADVISE, "--seconds", "nan"), "between 0 and 86400"),
        ((*ADVISE, "--seed", "-1"), "seed"),
        ((*ADVISE, "--colour"), "--colour"),
        ((*ADVISE, "--out", "w.toml/x"), "w.toml"),
        (("compare", "w.toml", "--platform", "p.toml", "--strategies", "luck"), "luck"),
        (("predict", "w.toml", "--platform", "p.toml", "--allocation", "list.json"), "list.json"),
        (("predict", "w.toml", "--platform", "p.toml", "--allocation", "lost.json"), "M9"),
        (("predict", "w.toml", "--platform", "p.toml", "--allocation", "cut.json"), "cut.json"),
        (("predict", "w.toml", "--platform", "p.toml", "--allocation", "old.json"), "version"),
        (("predict", "w.toml", "--platform", "p.toml", "--allocation", "order.json"), "order"),
        (("predict", "w.toml", "--platform", "p.toml", "--allocation", "who.json"), "strategy"),
        (("predict", "w.toml", "--platform", "p.toml", "--allocation", "flat.json"), "a table"),
        (("study", "luck"), "decision-map"),
        (("study", "allocation"), "--set workload="),
        (("study", "allocation", "--set", "workload=w.toml", "--set", "platform=p.toml",
          "--set", "luck=1"), "luck"),
        (("export", "lost.json", "--to", "csv", "--output", "o"), "neither a plan nor a project"),
        (("export", "old.json", "--to", "csv", "--output", "o"), "--workload"),
        (("export", "old.json", "--to", "paper", "--output", "o"), "paper"),
        (("export", "x.placewise", "--to", "csv", "--output", "none/o"), "none/o"),
        (("advise", "w.toml", "--platform", "x" * 5000), "catalogue"),
        (("catalogue", "nowhere"), "nowhere"),
        ((), "COMMAND"),
        (("dance",), "dance"),
    ],
)  # fmt: skip
def test_unusable_input_is_one_message_and_status_2(
    folder: Path, capsys: Capture, arguments: tuple[str, ...], message: str
) -> None:
    (folder / "noise.toml").write_bytes(bytes(range(256)) * 40)
    (folder / "list.json").write_text("[1, 2]", encoding="utf-8")
    (folder / "lost.json").write_text('{"A": "M1", "B": "M9"}', encoding="utf-8")
    (folder / "cut.json").write_text('{"A": "M1"', encoding="utf-8")
    both = {"allocation": {"A": "M1", "B": "M1"}}
    for name, wrong in (
        ("old", {"version": 9}),
        ("order", {"order": ["A", 2]}),
        ("who", {"strategy": 2}),
    ):
        (folder / f"{name}.json").write_text(json.dumps(both | wrong), encoding="utf-8")
    flat = '{"format": "placewise-plan", "allocation": "all on M1"}'
    (folder / "flat.json").write_text(flat, encoding="utf-8")
    write_project(two_machines(), folder / "x.placewise")
    status, out, err = answer(capsys, *arguments)
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert message in err
    assert "Traceback" not in err


def test_an_infeasible_workload_is_status_3(folder: Path, capsys: Capture) -> None:
    heavy = WORKLOAD.replace('name = "A"\n', 'name = "A"\ncores = 64\n')
    (folder / "heavy.toml").write_text(heavy, encoding="utf-8")
    status, out, err = answer(capsys, "advise", "heavy.toml", "--platform", "p.toml")
    assert (status, out) == (3, "")
    assert '"A"' in err


def test_help_is_status_0(capsys: Capture) -> None:
    status, out, _ = answer(capsys, "--help")
    assert status == 0
    for command in cli.COMMANDS:
        assert command in out
        assert answer(capsys, command, "--help")[0] == 0


def test_a_closed_pipe_is_no_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w", encoding="utf-8") as stream:
        monkeypatch.setattr(sys, "stdout", stream)
        assert cli.main(ADVISE) == 0


def test_a_closed_standard_output_is_told(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert cli.main(["catalogue"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_closed_standard_error_keeps_the_answer(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    assert cli.main(ADVISE) == 0
    assert "M2" in capsys.readouterr().out
    sys.stderr.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_an_answer_that_can_not_be_written_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert cli.main(ADVISE) == 2
    assert capsys.readouterr().err == "placewise: output: No space left on device\n"


def given(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    """Put something on standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))


@pytest.mark.parametrize("packed", [False, True])
def test_every_file_may_come_on_standard_input(
    folder: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch, packed: bool
) -> None:
    expected = answer_json(capsys, *ADVISE)
    given(monkeypatch, gzip.compress(WORKLOAD.encode()) if packed else WORKLOAD.encode())
    found = answer_json(capsys, "advise", "-", "--platform", "p.toml")
    assert found["sources"] == {"platform": "p.toml"}  # it can't be read again
    assert found["allocation"] == expected["allocation"]
    given(monkeypatch, PLATFORM.encode())
    found = answer_json(capsys, "advise", "w.toml", "--platform", "-")
    assert found["allocation"] == expected["allocation"]
    plan = json.dumps(expected).encode()
    given(monkeypatch, plan)
    predicted = answer_json(capsys, "predict", *ADVISE[1:], "--allocation", "-")
    assert predicted["makespan_s"] == expected["value_s"]
    given(monkeypatch, plan)
    assert answer(capsys, "export", "-", "--to", "csv", "--output", "s.csv") == (0, "", "")
    given(monkeypatch, b"P,time (s)\n1,8\n2,4.5\n4,2.5\n")
    assert answer(capsys, "study", "scaling", "--data", "-")[0] == 0


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="no /dev/fd here")
def test_a_file_may_be_a_pipe(folder: Path, capsys: Capture) -> None:
    reader, writer = os.pipe()
    os.write(writer, WORKLOAD.encode())
    os.close(writer)
    assert answer_json(capsys, "advise", f"/dev/fd/{reader}", "--platform", "p.toml")["allocation"]
    os.close(reader)


@pytest.mark.parametrize(
    ("error", "status"), [(KeyboardInterrupt(), 130), (MemoryError(), 2), (OSError(5, "bad"), 2)]
)
def test_what_ends_the_process_is_told(
    folder: Path,
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    status: int,
) -> None:
    def raising(_: object) -> int:
        raise error

    monkeypatch.setattr(cli, "_runner", lambda _command: raising)
    found, out, err = answer(capsys, *ADVISE)
    assert (found, out) == (status, "")
    assert err.startswith("placewise: ")


def test_control_characters_of_names_reach_no_terminal(folder: Path, capsys: Capture) -> None:
    evil = WORKLOAD.replace('"A"', '"A\\u001b[2J"')
    (folder / "evil.toml").write_text(evil, encoding="utf-8")
    status, out, err = answer(capsys, "advise", "evil.toml", "--platform", "p.toml")
    assert (status, out) == (2, "")
    assert "\x1b" not in err
    assert "U+001B" in err


def test_a_wrong_argument_is_told_in_a_line_that_fits_a_terminal(capsys: Capture) -> None:
    status, out, err = answer(capsys, "frobnicate\x1b[31m" + "x" * 1_000_000)
    assert (status, out) == (2, "")
    assert "\x1b" not in err
    assert len(err) < 1500


def test_a_note_is_told_without_what_steers_a_terminal(capsys: Capture) -> None:
    inputs.warn(("no file \x1b[31m\u202e",))
    assert capsys.readouterr().err == "placewise: note: no file \\u001b[31m\\u202e\n"


def test_columns_are_aligned() -> None:
    assert columns(("name", "n"), [("a", "1"), ("long one", "100")], "lr") == (
        "name        n\na           1\nlong one  100"
    )
    assert columns(("name",), [("x" * 100,)]).splitlines()[1] == "x" * 59 + "…"


def test_notes_are_told_once(capsys: Capture) -> None:
    inputs.warn(("careful", "careful"))
    assert capsys.readouterr().err == "placewise: note: careful\n"


def test_kernels_are_loaded_for_large_workloads_only(monkeypatch: pytest.MonkeyPatch) -> None:
    from advisor.allocation.problem import Problem

    project = two_machines()
    problem = Problem.of(project.platform, project.workload)
    loaded: list[bool] = []
    monkeypatch.setattr("advisor.kernels.load", lambda: loaded.append(True))
    inputs.load_kernels(problem)
    assert loaded == []
    monkeypatch.setattr(inputs, "_COMPILED_TASKS", 2)
    monkeypatch.setattr("advisor.kernels.ready", lambda: False)
    inputs.load_kernels(problem)
    assert loaded == []
    monkeypatch.setattr("advisor.kernels.ready", lambda: True)
    inputs.load_kernels(problem)
    assert loaded == [True]
    monkeypatch.setattr("advisor.kernels.ready", lambda: False)
    monkeypatch.setattr(inputs, "_WORTH_COMPILING", 2)
    inputs.load_kernels(problem)
    assert loaded == [True, True]


def test_what_the_engine_lets_the_user_know_goes_to_standard_error_in_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def load(problem: object) -> None:
        logging.getLogger("advisor.kernels").info("preparing")

    monkeypatch.setattr("advisor.commands.advise_commands.load_kernels", load)
    for _ in range(2):
        assert cli.main(ADVISE) == 0
        assert capsys.readouterr().err.count("placewise: note: preparing\n") == 1


def test_the_version_is_the_one_that_is_installed(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == f"placewise {metadata.version('placewise')}\n"


def test_a_copy_that_is_not_installed_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> str:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", missing)
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out == "placewise, not installed\n"


def test_ctrl_c_asks_a_running_search_to_stop() -> None:
    before = signal.getsignal(signal.SIGINT)
    with interruptible() as stopped:
        assert not stopped()
        signal.raise_signal(signal.SIGINT)
        assert stopped()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


def test_outside_the_main_thread_nothing_is_intercepted() -> None:
    found: list[bool] = []

    def work() -> None:
        with interruptible() as stopped:
            found.append(stopped())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [False]


def test_names_that_a_terminal_lacks_are_still_printed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    assert cli.main(ADVISE) == 0
    stream.flush()
    assert "×3.00" in raw.getvalue().decode("utf-8")
