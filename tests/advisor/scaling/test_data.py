"""Measurements from lists, text and files: what is understood, converted, refused."""

import pickle

import numpy as np
import pytest

from advisor.scaling.data import (
    expect_scaling,
    measurements,
    parse_measurements,
    read_measurements,
    shipped,
    shipped_names,
)
from resources import folder


def test_a_header_says_what_was_measured():
    data = parse_measurements("P,throughput (MB/s)\n2,190\n1,100\n")
    assert (data.kind, data.unit, data.rate_unit) == ("throughput", "MB/s", "MB/s")
    assert data.processors == (1, 2)
    assert data.X.tolist() == [100, 190]


@pytest.mark.parametrize("header", ["P,time (ms)", "cores;time_ms", "Nodes\ttime [ms]"])
def test_times_become_seconds_and_their_reciprocals_throughputs(header):
    mark = next(one for one in ",;\t" if one in header)
    data = parse_measurements(f"{header}\n1{mark}200\n4{mark}80\n")
    assert data.unit == "s"
    assert data.values == pytest.approx((0.2, 0.08))
    assert data.X.tolist() == pytest.approx([5, 12.5])
    assert data.rate_unit == "1/s"


def test_lines_of_one_p_and_further_columns_are_repetitions():
    lines = parse_measurements("P speedup\n1 1\n2 1.8\n2 1.9\n")
    columns = parse_measurements("P;speedup 1;speedup 2\n1;1;\n2;1.8;1.9\n")
    assert lines.processors == columns.processors == (1, 2, 2)
    assert lines.values == columns.values == (1.0, 1.8, 1.9)
    P, X = lines.means()
    assert (P.tolist(), X.tolist()) == ([1, 2], [1, 1.85])


def test_a_column_of_run_numbers_is_passed_over():
    data = parse_measurements("run,P,time (s)\n1,4,3.5\n2,4,3.6\n")
    assert data.processors == (4, 4)
    assert data.values == (3.5, 3.6)


def test_comments_blank_lines_quotes_and_byte_order_marks_do_not_matter(tmp_path):
    file = tmp_path / "mine.csv"
    file.write_bytes('\ufeff# made today\n\n"P","speedup"\r\n"1","1"\r\n2,1.7 # slow\r\n'.encode())
    data = read_measurements(file)
    assert (data.name, data.values) == ("mine", (1.0, 1.7))


def test_numbers_alone_need_their_kind():
    assert parse_measurements("1 10\n2 6\n", "time").X.tolist() == pytest.approx([0.1, 1 / 6])
    with pytest.raises(ValueError, match="the header does not say what was measured"):
        parse_measurements("1 10\n2 6\n")


def test_the_rate_of_one_processor_is_the_mean_of_its_runs():
    assert measurements([1, 1, 2], [10, 12, 20]).rate_of_one == 11
    assert measurements([2, 4], [10, 12]).rate_of_one is None


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "there are no measurements"),
        ("P,time (s)\n", "there are no measurements"),
        ("P,time_s,time_ms\n1,2,3", "mix kinds or units"),
        ("P,colour\n1,2", "line 1: unknown column"),
        ("time\n1", "one column must be P"),
        ("P\n1", "nothing was measured"),
        ("P,time\n1,2,3", "line 2: expected 2 values"),
        ("P,time\n1,2,5", "line 2: expected 2 values.*Write decimals with a point"),
        ("P time\n1 2,5", "line 2: blanks and commas both stand between digits"),
        ("P;time\n1;2,5\n2;1.5", "line 3: decimal points and commas are mixed"),
        ("P\ttime\n1\t2,500\n2\t1,250", "line 2: this may be 2.500 or 2500"),
        ("P;time\n1;2.500,0\n2;1", "line 2: this number has a sign for thousands"),
        ("P,time (MB/s)\n1,2", r"line 1: a time can't be in MB/s .*Units of times: s, ms"),
        ("P,time (GB)\n1,2", "line 1: a time can't be in GB"),
        ("P,throughput (ms)\n1,2", "line 1: a throughput can't be in ms"),
        ("P,throughput (NaN)\n1,2", "line 1: a throughput can't be in NaN"),
        ("P,speedup (s)\n1,2", "line 1: a speedup can't be in s"),
        ("P,time (s),sd\n1,2,0.1\n2,1,-0.1", r"line 3: the spread sd must be finite and ≥ 0"),
        ("P,time (s),stddev (s)\n1,2,x", "line 2: the spread .* is no number"),
        ("P,time\n1,1_0", "line 2: time is no number"),
        ("P,time\n1,٣", "line 2: time is no number"),
        ("P,time\n1,3 ms", "Units belong into the header"),
        ("P,time\n1,nan", "line 2: time is no number"),
        ("P,time\n1,", "line 2: time is no number"),
        ("P,time\n1,inf", "must be finite and > 0"),
        ("P,time\n\n1,-2", "line 3: time must be finite and > 0"),
        ("P,time\n1,0", "must be finite and > 0"),
        ("P,time\n0,1", "P must be a whole number"),
        ("P,time\n1.5,1", "P must be a whole number"),
        ("P,time\n1e9,1", "P must be a whole number"),
    ],
)
def test_unusable_text_is_refused_with_its_line(text, named):
    with pytest.raises(ValueError, match=named):
        parse_measurements(text)


@pytest.mark.parametrize(
    ("lists", "named"),
    [
        (([1, 2], [1.0]), "each P needs one value"),
        (([], []), "each P needs one value"),
        (([0], [1.0]), "P must be a whole number"),
        (([1], [0.0]), "throughput is out of range"),
        (([10**8], [1.0]), "P is out of range"),
    ],
)
def test_unusable_lists_are_refused(lists, named):
    with pytest.raises(ValueError, match=named):
        measurements(*lists)


SPELLINGS = (
    ("P,time (ms),time (ms)\n1,1500.5,1501\n2,800.25,\n", ","),
    ("P;time (ms);time (ms)\n1;1500,5;1501\n2;800,25;\n", ";"),
    ("P\ttime (ms)\ttime (ms)\n1\t1500,5\t1501\n2\t800,25\t\n", "tab"),
    ('"P","time (ms)","time (ms)"\n"1","1500,5","1501"\n"2","800,25",""\n', "quotes"),
    ("P;time (ms);time (ms)\n1;1500.5;1501\n2;800.25;\n", "points"),
    ("P time_ms\n1 1500.5\n1 1501\n2 8.0025e2\n", "blanks"),
    ("run;time (ms);cores\n1;1,5005e3;1\n2;1501;1\n1;800,25;2\n", "order"),
)


@pytest.mark.parametrize(
    "text", [text for text, _ in SPELLINGS], ids=[name for _, name in SPELLINGS]
)
def test_every_spelling_gives_the_same_values(text):
    data = parse_measurements(text)
    assert (data.unit, data.processors) == ("s", (1, 1, 2))
    assert data.values == pytest.approx((1.5005, 1.501, 0.80025), rel=1e-15)


def test_spreads_are_read_and_said_to_have_no_say():
    data = parse_measurements("P;time (s);sd\n1;10,5;0,2\n2;6,5;\n")
    assert (data.values, data.unused) == ((10.5, 6.5), ("sd",))


@pytest.mark.parametrize(("processors", "values", "named"), [
    ([4, 4, 4], [1.0, 2.0, 3.0], r"only one number of processors was measured.*got 4"),
    ([1, 2, 4], [5.0, 5.0, 5.0], r"all times are equal from P = 1 to 4: more.*P = 1 does"),
    ([2, 4, 8], [5.0, 5.0 * (1 + 1e-15), 5.0], "all times are equal"),
])  # fmt: skip
def test_what_says_nothing_of_scaling_is_refused(processors, values, named):
    with pytest.raises(ValueError, match=named):
        expect_scaling(measurements(processors, values, "time", "s"))


def test_what_scales_a_little_is_not_refused():
    expect_scaling(measurements([1, 2, 4], [5.0, 5.0, 4.999], "time", "s"))


def test_an_unknown_kind_is_refused():
    with pytest.raises(ValueError, match="unknown kind"):
        measurements([1], [1.0], "latency")


def test_a_missing_file_is_refused_by_name(tmp_path):
    with pytest.raises(ValueError, match=r"none\.csv"):
        read_measurements(tmp_path / "none.csv")


def test_both_published_data_sets_ship_with_their_source():
    assert shipped_names() == ("raytracer", "specsdm91")
    assert shipped("specsdm91").processors == (1, 18, 36, 72, 108, 144, 216)
    assert shipped("raytracer").values[-1] == 310
    for name in shipped_names():
        text = (folder("measurements") / f"{name}.csv").read_text(encoding="utf-8")
        assert "R package usl" in text
    with pytest.raises(ValueError, match="unknown data set"):
        shipped("pyramid")


def test_measurements_are_values():
    data = shipped("raytracer")
    again = pickle.loads(pickle.dumps(data))
    assert again == data
    assert hash(again) == hash(data)
    assert np.array_equal(again.X, data.X)


@pytest.mark.parametrize(
    ("kind", "unit", "told"),
    [
        ("time", "s", ("time", "s")),
        ("throughput", "scripts/h", ("throughput", "scripts/h")),
        ("speedup", "", ("throughput", "")),
    ],
)
def test_results_are_told_as_times_where_times_were_measured(kind, unit, told):
    assert measurements([1, 2, 4], [5.0, 4.0, 3.0], kind, unit).told == told
