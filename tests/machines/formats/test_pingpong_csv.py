"""Ping-pong files: what is read, what is refused, and the line that is fitted."""

from __future__ import annotations

import pytest

from machines import InputError
from machines.formats.pingpong_csv import PingPong, read_pingpong


def written(tmp_path, *lines):
    path = tmp_path / "pingpong.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_repetitions_become_medians_and_other_columns_are_left_alone(tmp_path) -> None:
    path = written(
        tmp_path, "size_bytes,seconds_one_way,repetition,run",
        "8,2e-6,0,0", "1,1e-6,0,0", "1,9e-6,1,0", "1,3e-6,2,0", "", "8,4e-6,1,0",
    )  # fmt: skip
    found = read_pingpong(path)
    assert found == PingPong((1.0, 8.0), (3e-6, 3e-6), 5)


def test_a_round_trip_is_halved(tmp_path) -> None:
    path = written(tmp_path, "run,seconds_round_trip,size_bytes", "0,4e-6,16")
    assert read_pingpong(path).seconds == (2e-6,)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ([], "this is no ping-pong file"),
        (["bytes,seconds", "1,2"], "size_bytes and seconds_one_way"),
        (["size_bytes,seconds_one_way,seconds_round_trip", "1,2,3"], "line 1"),
        (["size_bytes,seconds_one_way"], "there are no measurements"),
        (["size_bytes,seconds_one_way", "1,2e-6", "8,fast"], "line 3.*seconds_one_way.*fast"),
        (["size_bytes,seconds_one_way", "8"], "line 2.*seconds_one_way"),
        (["size_bytes,seconds_one_way", "8,0"], "above 0"),
        (["size_bytes,seconds_one_way", "8,inf"], "above 0"),
    ],
)
def test_what_can_not_be_read_is_named(tmp_path, lines, words) -> None:
    with pytest.raises(InputError, match=words):
        read_pingpong(written(tmp_path, *lines))


@pytest.mark.parametrize(
    "lines",
    [
        ("size_bytes,seconds_one_way,run", "1,1.5e-6,0", "8,0.0000025,0"),
        ("size_bytes;seconds_one_way;run", "1;1,5e-6;0", "8;0,0000025;0"),
        ("size_bytes\tseconds_one_way\trun", "1\t1,5e-6\t0", "8\t0,0000025\t0"),
        ('"size_bytes","seconds_one_way"', '"1","1,5e-6"', '"8","0,0000025"'),
        ("# by us", "", "run size_bytes seconds_one_way", "0  1  1.5E-06", "0  8  2.5e-06"),
    ],
)
def test_every_spelling_gives_the_same_times(tmp_path, lines) -> None:
    assert read_pingpong(written(tmp_path, *lines)) == PingPong((1.0, 8.0), (1.5e-6, 2.5e-6), 2)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["1,1,5e-6"], "line 2: expected 2 values.*Write decimals with a point"),
        (["1;1,5e-6", "8;2.5e-6"], "line 1|line 3"),
        (["1,1_0"], "line 2.*above 0"),
        (["1,٣"], "line 2.*above 0"),
    ],
)
def test_decimals_that_may_be_separators_are_refused(tmp_path, lines, words) -> None:
    with pytest.raises(InputError, match=words):
        read_pingpong(written(tmp_path, "size_bytes,seconds_one_way", *lines))


def test_a_negative_spread_is_refused(tmp_path) -> None:
    path = written(tmp_path, "size_bytes,seconds_one_way,sd", "1,2e-6,1e-7", "8,3e-6,-1e-7")
    with pytest.raises(InputError, match="line 3: the spread sd must be finite and ≥ 0"):
        read_pingpong(path)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["8,2e-6", "8,3e-6"], r"pingpong.csv: only one size was measured \(got 8.0\)"),
        (
            ["1,2e-6", "8,2e-6"],
            "pingpong.csv: all times are equal: the bandwidth can't be determined",
        ),
        (["1,20.5", "1048576,400"], "a message of 1 B can't take so many seconds.*divide µs"),
        (["1,1e-15", "1048576,1e-9"], "1 B can't arrive in so few seconds"),
        (["1,1e-9", "1048576,2e-9"], "1.04858e.06 B can't arrive in so few seconds"),
    ],
)
def test_no_line_is_fitted_to_what_says_nothing_or_is_no_seconds(tmp_path, lines, words) -> None:
    path = written(tmp_path, "size_bytes,seconds_one_way", *lines)
    with pytest.raises(InputError, match=words):
        read_pingpong(path).line(100.0)


SIZES = tuple(float(2**k) for k in range(16))


def test_a_protocol_switch_is_found_and_the_size_takes_its_side() -> None:
    times = tuple(2e-6 + s / 3e9 if s <= 1024 else 6e-6 + s / 7e9 for s in SIZES)
    measured = PingPong(SIZES, times, 16)
    (alpha, beta), threshold = measured.line(100.0)
    assert threshold == 1024.0
    assert (alpha, beta) == (pytest.approx(2e-6), pytest.approx(3e9))
    (alpha, beta), _ = measured.line(5000.0)
    assert (alpha, beta) == (pytest.approx(6e-6), pytest.approx(7e9))


def test_one_line_does_where_a_second_is_not_worth_it() -> None:
    noisy = tuple((5e-6 + s / 1e9) * (1.02 if i % 2 else 0.98) for i, s in enumerate(SIZES))
    (alpha, beta), threshold = PingPong(SIZES, noisy, 16).line(1.0)
    assert threshold is None
    assert (alpha, beta) == (pytest.approx(5e-6, rel=0.02), pytest.approx(1e9, rel=0.05))
    assert PingPong((1.0, 1e6), (1e-6, 1e-3), 2).line(1.0)[1] is None


def test_a_line_on_which_short_messages_take_less_than_no_time_is_refused() -> None:
    times = (1e-5, 4e-5, 1.6e-4)
    with pytest.raises(InputError, match=r"p\.csv: .*no startup \(got '-.*s'\)\. Measure short"):
        PingPong((1000.0, 2000.0, 4000.0), times, 3, "p.csv").line(1.0)


def test_a_time_that_no_network_reaches_is_refused_whichever_size_has_it() -> None:
    with pytest.raises(InputError, match=r"32 B can't arrive in so few seconds \(got 1e-301\)"):
        PingPong((1.0, 32.0, 64.0), (1e-5, 1e-301, 2e-5), 3).line(1.0)


def test_a_startup_below_zero_by_rounding_is_none() -> None:
    (alpha, _), _ = PingPong((1e3, 2e3, 3e3), (1e-6, 2e-6, 3e-6), 3).line(1.0)
    assert alpha == pytest.approx(0.0, abs=1e-18)
    assert alpha >= 0.0
