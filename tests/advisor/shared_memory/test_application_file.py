"""Application files: TOML and CSV of counts, written and read again, and what is refused."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.models import dvsm
from advisor.published.dvsm_cells import RUNS
from advisor.shared_memory.application_file import (
    application_names,
    dump_application,
    dump_counts,
    parse_application,
    parse_counts,
    read_application,
    shipped_application,
    write_application,
)
from advisor.shared_memory.network_file import dvsm_network
from advisor.shared_memory.phases import Load, Phase, imbalances
from machines import InputError

HEAD = 'format = "placewise-application"\nversion = 1\nname = "p"\nsequential_us = 100\n'
OPERATION = '[[operation]]\nname = "f"\nkind = "fault"\nparts = 1\nrequest = 12\nreply = 20\n'
PHASE = '[[phase]]\nname = "a"\n[[phase.load]]\nprocessors = [0, 1]\nbusy_us = 9\n'
COUNTS = "phase,repeat,processor,busy_us,f\na,2,0,5.5,3\na,2,1,4,0\nb,1,1,1,0\nb,1,0,2,1\n"
PHASES = (
    Phase("a", 2, (Load(5.5, (("f", 3.0),)), Load(4.0))),
    Phase("b", 1, (Load(2.0, (("f", 1.0),)), Load(1.0))),
)


@pytest.mark.parametrize("name", application_names())
def test_an_application_that_ships_reads_back_and_serves_every_request(name):
    application = shipped_application(name)
    assert parse_application(dump_application(application)) == application
    assert imbalances(application) == ()
    assert "reconstruction" in application.name
    assert "not measurements" in application.source
    assert any(sentence.startswith("delay: fitted") for sentence in application.assumed)


@pytest.mark.parametrize("network", ["fast-ethernet", "oc3-atm"])
def test_the_reconstructions_take_the_times_of_table_1(network):
    order = ["sor", "is", "barnes", "barnes-large", "sphere", "sphere-large", "water", "raytrace"]
    for name, (_, alone, ethernet, atm) in zip(order, RUNS, strict=True):
        application = shipped_application(name)
        printed, _ = ethernet if network == "fast-ethernet" else atm
        result = dvsm.application_time(dvsm_network(network).network, application.counted(network))
        assert result.time / 1e6 == pytest.approx(printed, rel=1e-4)
        assert application.sequential_time / 1e6 == alone


@pytest.mark.parametrize(
    ("name", "efficiencies"),
    [
        ("sor", (0.858, 0.781, 0.706, 0.918, 0.873)),
        ("is", (0.693, 0.585, 0.468, 0.825, 0.726)),
        ("sphere-large", (0.565, 0.510, 0.386, 0.674, 0.571)),
        ("water", (0.384, 0.297, 0.193, 0.593, 0.419)),
        ("raytrace", (0.703, 0.634, 0.512, 0.818, 0.742)),
    ],
)
def test_the_reconstructions_lose_efficiency_with_the_processor(name, efficiencies):
    counted = shipped_application(name).counted("fast-ethernet")
    technologies = (
        dvsm.TODAY,
        dvsm.Technology(processor=8),
        dvsm.Technology(processor=8, system_benefit=0.5),
        dvsm.FUTURE,
        replace(dvsm.FUTURE, system_benefit=0.5),
    )
    got = [
        dvsm.application_time(dvsm.FAST_ETHERNET, counted, one).efficiency for one in technologies
    ]
    assert got == pytest.approx(efficiencies, abs=6e-4)


def test_an_unknown_application_is_refused_with_the_nearest():
    with pytest.raises(InputError, match='Did you mean "water"'):
        shipped_application("wather")


def test_counts_may_stand_beside_the_application(tmp_path: Path):
    application = shipped_application("is")
    write_application(application, tmp_path / "is.toml", counts="is.csv")
    again = read_application(tmp_path / "is.toml")
    assert again == application
    assert "[[phase]]" not in (tmp_path / "is.toml").read_text()
    assert (tmp_path / "is.csv").read_text().startswith("phase,repeat,processor,busy_us,fault,")


def test_a_file_is_written_and_read_again(tmp_path: Path):
    application = parse_application(HEAD + OPERATION + PHASE)
    write_application(application, tmp_path / "p.toml")
    assert read_application(tmp_path / "p.toml") == application
    assert application.phases[0].loads == (Load(9.0), Load(9.0))


names = st.text("ab,;=\"'é-", min_size=1, max_size=6)
amounts = st.floats(0, 1e12)


@given(st.lists(st.tuples(names, st.integers(1, 9), st.lists(amounts, min_size=2, max_size=2)),
                min_size=1, max_size=4, unique_by=lambda row: row[0]))  # fmt: skip
def test_counts_are_read_as_they_were_written(rows):
    phases = tuple(
        Phase(name, repeat, tuple(Load(x, (("f", x),) if x else ()) for x in busy))
        for name, repeat, busy in rows
    )
    assert parse_counts(dump_counts(phases, ["f", "g"]), ["f", "g"], "c") == phases


def test_rows_come_in_any_order_and_joined_files_repeat_their_header():
    assert parse_counts(COUNTS, ["f", "g"], "c") == PHASES
    joined = (
        "phase,repeat,processor,busy_us,f\n a ,2,1,4,0\nb,1,1,1,0\n\n"
        "phase,repeat,processor,busy_us,f\r\na,2,0,5.5,3\r\nb,1,0,2,1\r\n"
    )
    assert parse_counts(joined, ["f"], "c") == PHASES


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "c: there are no counts"),
        ("phase,repeat,processor,busy_us\n", "there are no counts"),
        ("phase,processor\n", "line 1: this is not the header"),
        ("phase,repeat,processor,busy_us,g\n", "line 1: unknown operation .got .g.."),
        ("phase,repeat,processor,busy_us,f,f\n", "line 1: this column appears twice"),
        ("phase,repeat,processor,busy_us\na,1,0\n", "line 2: expected 4 values"),
        ("phase,repeat,processor,busy_us\na,1.5,0,1\n", "line 2: repeat must be a whole"),
        ("phase,repeat,processor,busy_us\na,1,-1,1\n", "line 2: processor must be a whole"),
        ("phase,repeat,processor,busy_us\na,1,9999,1\n", "Allowed: 0 to 4095"),
        ("phase,repeat,processor,busy_us\n,1,0,1\n", "line 2: phase has no name"),
        ("phase,repeat,processor,busy_us\na,1,0,x\n", "line 2: busy_us is no number"),
        ("phase,repeat,processor,busy_us\na,1,0,nan\n", "line 2: busy_us must be finite"),
        ("phase,repeat,processor,busy_us,f\na,1,0,1,-2\n", "line 2: f must be finite and ≥ 0"),
        ("phase,repeat,processor,busy_us\na,1,0,1\na,1,0,1\n", "line 3: processor 0 appears twice"),
        ("phase,repeat,processor,busy_us\na,1,0,1\na,2,1,1\n", "line 3: repeat differs"),
        ("phase,repeat,processor,busy_us\na,1,1,1\n", 'phase "a": processor 0 has no row'),
        ('phase,repeat,processor,busy_us\n"a,1,0,1\n', "line 2: not valid CSV"),
    ],
)
def test_wrong_counts_are_refused_with_line_and_value(text, message):
    with pytest.raises(InputError, match=message):
        parse_counts(text, ["f"], "c")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD.replace("placewise-application", "placewise-workload"), "another kind of file"),
        (HEAD.replace("version = 1", "version = 2"), "a newer Placewise"),
        (HEAD.replace("sequential_us", "sequential_s"), 'Did you mean "sequential_us"'),
        (HEAD.replace("sequential_us = 100\n", "") + PHASE, "sequential_us is missing"),
        (HEAD.replace("100", "-1") + PHASE, "sequential_us is out of range .got -1"),
        (HEAD, "there is no phase"),
        (HEAD + OPERATION.replace("fault", "fautl"), 'operation "f": unknown kind.*"fault"'),
        (HEAD + OPERATION.replace("parts", "part") + PHASE, 'operation "f": unknown key "part"'),
        (HEAD + OPERATION.replace("= 1\n", "= 1.5\n", 1), "parts must be a whole number"),
        (HEAD + OPERATION.replace("12", "true"), "request must be a number"),
        (HEAD + OPERATION + "measured = 3\n", "measured must be a table"),
        (HEAD + OPERATION + "measured = { a = { dely = 3 } }\n", 'operation "f", a: unknown key'),
        (HEAD + OPERATION + "measured = { a = { delay = 3 } }\n" + PHASE, "not one of networks"),
        (HEAD + PHASE.replace("9", "-9"), 'phase "a", load 1: busy_us is out of range'),
        (HEAD + PHASE.replace("[0, 1]", "[1]"), 'phase "a": processor 0 has no load'),
        (HEAD + PHASE.replace("[0, 1]", "[0, 0]"), "processor 0 has two loads"),
        (HEAD + PHASE.replace("[0, 1]", "2"), "processors must be a list"),
        (HEAD + PHASE + "counts = { f = 1 }", "unknown operation"),
        (HEAD + PHASE + "count = { f = 1 }", 'unknown key "count"'),
        (HEAD + PHASE + PHASE.replace("[0, 1]", "[0]"), "processors differs between phases"),
    ],
)
def test_a_wrong_file_is_refused_with_place_and_value(tmp_path: Path, text, message):
    path = tmp_path / "app.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=message) as refused:
        read_application(path)
    assert str(refused.value).startswith(str(path))


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ("../c.csv", "in the same folder"),
        ("c.csv", "can't be read"),
        ("bad.csv", "bad.csv: line 2"),
    ],
)
def test_counts_beside_the_file_are_refused_by_name(tmp_path: Path, counts, message):
    (tmp_path / "bad.csv").write_text("phase,repeat,processor,busy_us,f\na,1,0,1,x\n")
    path = tmp_path / "app.toml"
    path.write_text(HEAD + f'counts = "{counts}"\n' + OPERATION)
    with pytest.raises(InputError, match=re.escape(message)):
        read_application(path)


def test_counts_are_given_once(tmp_path: Path):
    path = tmp_path / "app.toml"
    (tmp_path / "c.csv").write_text(COUNTS)
    path.write_text(HEAD + 'counts = "c.csv"\n' + OPERATION)
    assert read_application(path).phases == PHASES
    path.write_text(HEAD + 'counts = "c.csv"\n' + OPERATION + PHASE)
    with pytest.raises(InputError, match="say the same"):
        read_application(path)
