"""Titles of columns as public tables write them: what each is, in which unit."""

from __future__ import annotations

import pytest

from advisor.scaling.column_titles import title_of
from advisor.scaling.data import Part, parse_measurements
from machines import InputError

ROWS = "1,100\n2,52\n4,28\n8,16\n"


@pytest.mark.parametrize(
    ("header", "kind", "unit", "noun"),
    [
        ("ranks,time (s)", "time", "s", "ranks"),
        ("MPI ranks,time (s)", "time", "s", "ranks"),
        ("num_procs,total_time", "time", "", "processors"),
        ("GPUs,time (s)", "time", "s", "GPUs"),
        ("PEs,time", "time", "", "PEs"),
        ("No. Cores,time (s)", "time", "s", "cores"),
        ("#cores,time (s)", "time", "s", "cores"),
        ("concurrency,throughput", "throughput", "", "processors"),
        ("Nodes,Walltime (s)", "time", "s", "nodes"),
        ("Nodes,Runtime [s]", "time", "s", "nodes"),
        ("nodes,elapsed", "time", "", "nodes"),
        ("cores,seconds", "time", "s", "cores"),
        ("threads,time (seconds)", "time", "s", "threads"),
        ("nodes,time per step (ms)", "time", "s", "nodes"),
        ("cores,ns/day", "throughput", "ns/day", "cores"),
        ("cores,Performance (ns/day)", "throughput", "ns/day", "cores"),
        ("cores,GFLOPS", "throughput", "GFLOPS", "cores"),
        ("cores,Speed-up", "speedup", "", "cores"),
        ("nodes,aggregate-FOM", "throughput", "FOM", "nodes"),
    ],
)
def test_headers_met_in_public_are_understood(header: str, kind: str, unit: str, noun: str) -> None:
    data = parse_measurements(f"{header}\n{ROWS}")
    assert (data.kind, data.unit, data.noun) == (kind, unit, noun)
    scale = 1e-3 if "(ms)" in header else 1.0
    assert data.values == pytest.approx([scale * one for one in (100, 52, 28, 16)])


def test_an_efficiency_is_a_speedup() -> None:
    data = parse_measurements("cores,efficiency\n1,100\n2,90\n4,75\n")
    assert (data.kind, data.values) == ("speedup", (1.0, 1.8, 3.0))


def test_a_rate_of_each_node_is_that_of_all() -> None:
    data = parse_measurements("nodes,FOM per node\n1,10\n2,9\n4,8\n")
    assert data.values == (10.0, 18.0, 32.0)


def test_hours_and_minutes_are_seconds() -> None:
    data = parse_measurements("P,time\n1,1:03:25.94\n2,38:58.46\n4,28:29\n")
    assert data.unit == "s"
    assert data.values == pytest.approx((3805.94, 2338.46, 1709.0))


def test_of_several_kinds_the_time_is_taken_and_the_rest_told() -> None:
    data = parse_measurements("cores,time (s),speedup,efficiency (%)\n1,9,1,100\n2,5,1.8,90\n")
    assert (data.kind, data.values) == ("time", (9.0, 5.0))
    assert data.said == ("Read: P is cores, measured is time (s); left alone: speedup, "
                         "efficiency (%)",)  # fmt: skip


def test_an_ideal_is_left_alone_and_tells_what_the_other_is() -> None:
    rate = parse_measurements("Cores,Actual,Ideal\n8,20,20\n16,35,40\n32,50,80\n")
    assert (rate.kind, rate.values) == ("throughput", (20.0, 35.0, 50.0))
    time = parse_measurements("Cores,Actual,Ideal\n8,20,20\n16,12,10\n32,9,5\n")
    assert time.kind == "time"


UNKNOWN = "nodes,alpha,beta\n1,5,7\n2,3,6\n4,2,5\n"


def test_columns_are_chosen_by_title_or_number() -> None:
    for columns in ("nodes,beta", "1,3", "NODES;Beta"):
        data = parse_measurements(UNKNOWN, "time", part=Part(columns=columns))
        assert data.values == (7.0, 6.0, 5.0)
        assert data.noun == "nodes"


@pytest.mark.parametrize(
    ("text", "columns", "message"),
    [
        (UNKNOWN, "", "unknown columns.*alpha, beta.*columns=nodes,alpha quantity=throughput"),
        (UNKNOWN, "nodes,gamma", "there is no such column.*nodes, alpha, beta"),
        (UNKNOWN, "nodes,beta", "may be a time, a speedup or a throughput.*quantity=time"),
        ("nodes,a FOM,b FOM\n1,5,7\n2,3,6\n", "", "several columns may be meant.*columns=nodes"),
        ("n,X/s,X/s\n8,800,100\n16,1600,90\n", "", "several columns .*2: X/s, 3: X/s.*=n,2"),
        ("case,np,time (s)\nA,1,9\nB,1,8\nA,2,5\nB,2,4\n", "", "several case.*case=A"),
        ("Rank,Total (s)\n0,30\n1,31\n2,30\n", "", "a line for each rank of one run, 3 in all"),
        ("case,np,time (s)\nA,1,9\nB,1,8\n", "np,time,case=C", "no row has this case.*A, B"),
        ("colour,weight\n1,2\n", "", "one column must be P.*columns=nodes,time"),
    ],
)
def test_what_is_left_open_is_asked_with_what_there_is(
    text: str, columns: str, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        parse_measurements(text, part=Part(columns=columns))


def test_rows_of_one_series_are_chosen() -> None:
    text = "case,np,time (s)\nA,1,9\nB,1,8\nA,2,5\nB,2,4\n"
    assert parse_measurements(text, part=Part(columns="np,time,case=B")).values == (8.0, 4.0)


@pytest.mark.parametrize("filler", ["_", " ", "(", "9"])
def test_a_title_of_any_length_is_read_at_once(filler: str) -> None:
    title = f"time{filler * 100_000}x"
    assert title_of(title).role == "other"
    with pytest.raises(InputError):
        parse_measurements(f"P;{title}\n1;2\n2;3\n")
