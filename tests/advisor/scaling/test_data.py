"""Measurements from lists, text and files: what is understood, converted, refused."""

import pickle

import numpy as np
import pytest

from advisor.scaling.data import (
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
    with pytest.raises(ValueError, match="nothing says what was measured"):
        parse_measurements("1 10\n2 6\n")


def test_the_rate_of_one_processor_is_the_mean_of_its_runs():
    assert measurements([1, 1, 2], [10, 12, 20]).rate_of_one == 11
    assert measurements([2, 4], [10, 12]).rate_of_one is None


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "there are no measurements"),
        ("P,time (s)\n", "there are no measurements"),
        ("P,time (s),speedup\n1,2,3", "mix kinds or units"),
        ("P,time_s,time_ms\n1,2,3", "mix kinds or units"),
        ("P,colour\n1,2", "line 1: unknown column"),
        ("time\n1", "one column must be P"),
        ("P\n1", "nothing was measured"),
        ("P,time\n1,2,3", "line 2: expected 2 values"),
        ("P;time\n1;2,5", "Write decimals with a point"),
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
