"""Snakemake: its records tell one run together, and each alone as much as it knows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from advisor.runs.logs.snakemake_log import READER
from advisor.runs.run_record import FAILED, OK, Run
from machines import InputError
from tests.advisor.runs.logs.snakemake_files import Snkmt, benchmark, metadata


def read(path: Path) -> tuple[Run, ...]:
    head = b"" if path.is_dir() else path.read_bytes()[:65536]
    assert READER.holds(path, head)
    return READER.read(path)


def spans(run: Run) -> dict[str, tuple[float, float]]:
    return {one.task: (round(one.start_s, 3), round(one.end_s, 3)) for one in run.tasks}


def said(run: Run, part: str) -> bool:
    return any(part in note for note in run.notes)


def test_metadata_alone_tells_starts_and_ends(tmp_path: Path) -> None:
    metadata(tmp_path, "done/a", "a", 10.0, 12.0, params=["'M1'", "'a'"])
    metadata(tmp_path, "done/b", "b", 12.5, 14.0, params=["'M2'", "'b'"])
    metadata(tmp_path, "done/c", "c", 12.5, 13.0, params=["'M1'", "'c'"])
    metadata(tmp_path, "done/d", "d", 13.5, 14.0, params=["'M2'", "7"])
    (run,) = read(tmp_path)
    assert spans(run) == {"a": (0, 2), "b": (2.5, 4), "c": (2.5, 3), "d": (3.5, 4)}
    assert {one.task: one.machine for one in run.tasks} == dict(
        zip("abcd", ("M1", "M2", "M1", "M2"), strict=True)
    )
    assert run.makespan_s == pytest.approx(4.0)
    assert said(run, "guessed")


def test_a_working_directory_is_one_and_so_is_the_folder_of_its_metadata(tmp_path: Path) -> None:
    hidden = tmp_path / ".snakemake"
    metadata(hidden, "out/a", "a", 0.0, 2.0)
    benchmark(tmp_path / "results", "a.tsv", 1.5)
    (whole,), (alone,) = read(tmp_path), read(hidden / "metadata")
    assert spans(alone) == {"a": (0, 2)}
    assert spans(whole) == {"a": (0, 1.5)}
    assert (whole.resolution_s, alone.resolution_s) == (0.01, 0.0)


def test_a_long_name_is_split_into_folders(tmp_path: Path) -> None:
    metadata(tmp_path, "a/long/name/of/a/file", "a", 0.0, 2.0, longest=5)
    (run,) = read(tmp_path)
    assert spans(run) == {"a": (0, 2)}


def test_outputs_of_one_job_are_one_task_from_first_to_last(tmp_path: Path) -> None:
    metadata(tmp_path, "a.txt", "a", 0.0, 1.0, job_hash=5)
    metadata(tmp_path, "a.idx", "a", 0.1, 3.0, job_hash=5)
    (run,) = read(tmp_path)
    assert spans(run) == {"a": (0, 3)}


def test_jobs_of_one_rule_are_told_apart_by_their_outputs(tmp_path: Path) -> None:
    for at, sample in enumerate(("A", "B-1", "C")):
        metadata(tmp_path, f"out/{sample}/raw.txt", "make", at, at + 1.0)
    (run,) = read(tmp_path)
    assert {one.task for one in run.tasks} == {"make_A", "make_B-1", "make_C"}


def test_names_and_machines_that_our_export_gave_are_read(tmp_path: Path) -> None:
    command = """bash -c "env 'PLACEWISE_TASK=a task' PLACEWISE_MACHINE=M1 sh -c 'make x'" """
    metadata(tmp_path, "done/a", "a", 0.0, 1.0, shellcmd=command)
    (run,) = read(tmp_path)
    assert [(one.task, one.machine) for one in run.tasks] == [("a task", "M1")]


def test_a_benchmark_tells_what_the_command_took(tmp_path: Path) -> None:
    metadata(tmp_path, "a", "a", 0.0, 1.0)  # its output was written early
    metadata(tmp_path, "b", "b", 0.0, 30.0)  # it waited in a queue
    metadata(tmp_path, "c", "c", 30.0, 31.0)
    benchmark(tmp_path, "a.tsv", 5.0)
    benchmark(tmp_path, "b.tsv", 4.0)
    (run,) = read(tmp_path)
    assert spans(run) == {"a": (0, 5), "b": (26, 30), "c": (30, 31)}
    assert said(run, "handed out more than 1 s before")
    assert said(run, "no benchmark of 1 task (c)")


def test_repeats_of_a_benchmark_are_tries_of_the_task(tmp_path: Path) -> None:
    metadata(tmp_path, "a", "a", 0.0, 3.1)
    benchmark(tmp_path, "a.tsv", 1.5, 1.0, 0.5)
    (run,) = read(tmp_path)
    assert [(one.start_s, one.end_s) for one in run.tasks] == [(0, 1.5), (1.5, 2.5), (2.5, 3.0)]
    assert said(run, "several times in a row")


def test_benchmarks_are_found_by_rule_and_wildcards_in_any_order(tmp_path: Path) -> None:
    for at, sample in enumerate(("A", "B")):
        metadata(tmp_path, f"out/{sample}.txt", "make", at, at + 1.0)
        metadata(tmp_path, f"two/{sample}.txt", "two", at, at + 1.0)
        benchmark(tmp_path, f"make/{sample}.tsv", 0.5)
        benchmark(tmp_path, f"{sample}.two.txt", 0.25)
    (run,) = read(tmp_path)
    assert {one.task: one.end_s - one.start_s for one in run.tasks} == {
        "make_A": 0.5, "make_B": 0.5, "two_A": 0.25, "two_B": 0.25,
    }  # fmt: skip


def test_of_benchmarks_of_one_name_the_nearest_counts(tmp_path: Path) -> None:
    metadata(tmp_path, "a", "a", 0.0, 1.0)
    benchmark(tmp_path, "a.tsv", 0.75)
    benchmark(tmp_path / "copy", "a.tsv", 0.5)
    (run,) = read(tmp_path)
    assert spans(run) == {"a": (0, 0.75)}


def test_benchmarks_that_fit_no_job_are_said(tmp_path: Path) -> None:
    metadata(tmp_path, "a", "a", 0.0, 1.0)
    benchmark(tmp_path, "other.tsv", 0.75)
    (run,) = read(tmp_path)
    assert spans(run) == {"a": (0, 1)}
    assert said(run, "none is used")


def test_benchmarks_alone_are_durations_without_times(tmp_path: Path) -> None:
    benchmark(tmp_path, "a.tsv", 2.0)
    benchmark(tmp_path, "b.tsv", 1.0, 9.0, 3.0)
    for place in (tmp_path, tmp_path / "benchmarks"):
        (run,) = read(place)
        assert not run.timed
        assert run.makespan_s == 0.0
        assert spans(run) == {"a": (0, 2), "b": (0, 3)}
        assert said(run, "only durations")
    (single,) = read(tmp_path / "benchmarks" / "a.tsv")
    assert spans(single) == {"a": (0, 2)}


def test_the_extended_form_tells_rule_and_wildcards_itself(tmp_path: Path) -> None:
    metadata(tmp_path, "out/A.txt", "make", 0.0, 1.0)
    place = benchmark(tmp_path, "x1.tsv")
    place.write_text(
        "s\th:m:s\tmax_rss\trule_name\twildcards\n0.70\t0:00:00\tNA\tmake\t{'s': 'A'}\n"
    )
    metadata(tmp_path, "out/B.txt", "make", 0.0, 1.0)
    (run,) = read(tmp_path)
    assert spans(run) == {"make_A": (0, 0.7), "make_B": (0, 1)}


def test_benchmarks_in_json_lines_are_read_too(tmp_path: Path) -> None:
    place = benchmark(tmp_path, "a.jsonl")
    rows = ({"cpu_time": 1.5, "h:m:s": "0:00:01", "s": seconds} for seconds in (1.25, 3.5))
    place.write_text("".join(f"{json.dumps(one)}\n" for one in rows))
    (run,) = read(tmp_path)
    assert spans(run) == {"a": (0, 2.375)}


def test_old_times_of_outputs_and_of_rules_in_python_are_not_taken_for_true(tmp_path: Path) -> None:
    metadata(tmp_path, "a", "a", 0.0, 2.0)
    metadata(tmp_path, "copied", "b", 2.0, -9e6)  # keeps the time of what it was copied from
    metadata(tmp_path, "python", "c", 5.2, 5.0, shellcmd=None)  # start recorded at the end
    metadata(tmp_path, "again", "d", -90.0, 6.0, input=["a"], shellcmd=None)  # of the run before
    (run,) = read(tmp_path)
    assert spans(run) == {"a": (0, 2)}
    assert said(run, "3 tasks")
    for name, seconds in (("b", 1.0), ("c", 2.0), ("d", 3.0)):
        benchmark(tmp_path, f"{name}.tsv", seconds)
    (run,) = read(tmp_path)
    assert spans(run) == {"a": (0, 2), "b": (2, 3), "c": (3, 5), "d": (3, 6)}


def test_metadata_of_several_runs_is_taken_apart(tmp_path: Path) -> None:
    metadata(tmp_path, "a", "a", 0.0, 2.0)
    metadata(tmp_path, "b", "b", 2.0, 3.0)
    metadata(tmp_path, "c", "c", 200.0, 201.0)
    first, second = read(tmp_path)
    assert (first.name, second.name) == ("2027-01-15 08:00:00", "2027-01-15 08:03:20")
    assert (len(first.tasks), len(second.tasks)) == (2, 1)
    assert said(first, "what is left of 2 runs")


def test_cut_and_unfinished_files_are_left_out_and_said(tmp_path: Path) -> None:
    metadata(tmp_path, "a", "a", 0.0, 2.0)
    place = metadata(tmp_path, "b", "b", 0.0, 2.0)
    place.write_text(place.read_text()[:40])
    metadata(tmp_path, "c", "c", 0.0, 2.0, incomplete=True)
    metadata(tmp_path, "d", "d", 0.0, 2.0, starttime=None)
    benchmark(tmp_path, "a.tsv", "-1.0")
    (run,) = read(tmp_path)
    assert spans(run) == {"a": (0, 2)}
    assert said(run, "can't be read, left out: b")
    assert said(run, "did not end, left out: c")
    assert said(run, "no start, left out: d")
    assert said(run, "a.tsv: line 2")


def test_the_database_tells_machines_and_failures(tmp_path: Path) -> None:
    file = Snkmt(tmp_path / "snkmt.sqlite")
    file.workflow("w", 1.0)
    file.job("w", "a", 1.0, 3.0, output="a", m1=1, m2=0, tmpdir=1)
    file.job("w", "b", 3.0, 3.5, "ERROR", output="b", m1=0, m2=1)
    file.job("w", "b", 4.0, 4.5, output="b", m1=0, m2=1)
    file.job("w", "c", 4.5, None, "RUNNING", output="c", m1=1, m2=0)
    file.job("w", "all", 5.0, 5.0, command=None)
    file.workflow("dry", 9.0, dry=1)
    (run,) = read(file.written())
    assert [(one.task, one.machine, one.status) for one in run.tasks] == [
        ("a", "m1", OK), ("b", "m2", FAILED), ("b", "m2", OK),
    ]  # fmt: skip
    assert run.tasks[1].output == "b broke"
    assert run.makespan_s == pytest.approx(3.5)
    assert said(run, "without an end, left out: c")
    assert said(run, "left out: all")


def test_several_workflows_are_several_runs_oldest_first(tmp_path: Path) -> None:
    file = Snkmt(tmp_path / "snkmt.sqlite")
    for name, began_s in (("late", 60.0), ("early", 0.0)):
        file.workflow(name, began_s)
        file.job(name, "make", began_s, began_s + 1, output="A", wildcards='{"s": "A"}')
        file.job(name, "make", began_s, began_s + 2, output="B", wildcards='{"s": "B"}')
    first, second = read(file.written())
    assert (first.name, second.name) == ("2027-01-15 08:00:00", "2027-01-15 08:01:00")
    assert spans(first) == {"make_A": (0, 1), "make_B": (0, 2)}


def test_together_starts_are_the_metadatas_and_benchmarks_are_of_the_last_run(
    tmp_path: Path,
) -> None:
    file = Snkmt(tmp_path / "snkmt.sqlite")
    for name, began_s in (("first", 0.0), ("second", 100.0)):
        file.workflow(name, began_s)
        file.job(name, "a", began_s + 0.3, began_s + 2.1, output="a", m1=1, m2=0)
        file.job(name, "b", began_s + 2.2, began_s + 4.0, output="b", m1=0, m2=1)
    file.written()
    metadata(tmp_path, "a", "a", 100.0, 102.0, params=["'M1'"])
    metadata(tmp_path, "b", "b", 102.1, 103.9, params=["'M2'"])
    benchmark(tmp_path, "a.tsv", 1.9)
    benchmark(tmp_path, "b.tsv", 50.0)  # longer than the job was seen to run
    first, second = read(tmp_path)
    assert spans(first) == {"a": (0, 1.8), "b": (1.9, 3.7)}
    assert spans(second) == {"a": (0, 1.9), "b": (2.1, 4.0)}
    assert said(second, "of another run (b)")


def test_what_is_no_record_of_snakemake_is_not_taken_for_one(tmp_path: Path) -> None:
    (tmp_path / "metadata").mkdir()
    (tmp_path / "metadata" / "x.json").write_text('{"rule": 1}')
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "benchmarks" / "b.tsv").write_text("name\tseconds\n")
    assert not READER.holds(tmp_path, b"")
    assert not READER.holds(tmp_path / "nowhere", b"")


def test_a_folder_in_which_nothing_ended_is_refused(tmp_path: Path) -> None:
    metadata(tmp_path, "c", "c", 0.0, 2.0, incomplete=True)
    with pytest.raises(InputError, match="no job that ended"):
        READER.read(tmp_path)


def test_a_database_that_is_cut_is_refused(tmp_path: Path) -> None:
    file = Snkmt(tmp_path / "snkmt.sqlite")
    file.workflow("w", 1.0)
    file.job("w", "a", 1.0, 3.0, output="a")
    place = file.written()
    place.write_bytes(place.read_bytes()[:9000])
    with pytest.raises(InputError, match="can't be read"):
        READER.read(place)


def test_nothing_beside_a_database_is_touched(tmp_path: Path) -> None:
    file = Snkmt(tmp_path / "snkmt.sqlite")
    file.workflow("w", 1.0)
    file.job("w", "a", 1.0, 3.0, output="a")
    place = file.written()
    before = place.read_bytes()
    (tmp_path / "snkmt.sqlite-wal").write_bytes(b"newer rows")
    (run,) = read(place)
    assert said(run, "-wal")
    assert place.read_bytes() == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["snkmt.sqlite", "snkmt.sqlite-wal"]


def test_the_largest_resident_memory_of_a_benchmark_is_the_peak(tmp_path: Path) -> None:
    metadata(tmp_path, "a.out", "a", 0, 5)
    metadata(tmp_path, "b.out", "b", 5, 9)
    watched = benchmark(tmp_path, "a.tsv", 2.0, 2.0)
    watched.write_text("s\th:m:s\tmax_rss\n2.0\t0:00:02\t64.50\n2.0\t0:00:02\t66.25\n")
    benchmark(tmp_path, "b.tsv", 4.0)  # it ended before it was watched: NA
    (run,) = read(tmp_path)
    assert {one.task: one.peak_bytes for one in run.tasks} == {"a": 66.25 * 2**20, "b": None}
