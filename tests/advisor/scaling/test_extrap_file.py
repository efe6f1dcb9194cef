"""Files of Extra-P: all formats give the values of the same table, and what is wrong is named."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from advisor.scaling.data import Part, parse_measurements
from machines import InputError

TABLE = "P,time (s)\n1,100\n1,101.5\n2,52\n2,53\n4,28\n4,28.25\n"
TEXT = """# strong scaling
PARAMETER p
POINTS {points}

METRIC time (s)
REGION main->solve
DATA 100 101.5
DATA 52 53
DATA 28 28.25
"""
MEANT = {1: [100, 101.5], 2: [52, 53], 4: [28, 28.25]}
JSON = json.dumps(
    {
        "parameters": ["p"],
        "measurements": {
            "main->solve": {
                "time (s)": [{"point": [P], "values": values} for P, values in MEANT.items()]
            }
        },
    },
    indent=1,
)
LINES = "\n".join(
    json.dumps({"params": {"p": P}, "metric": "time (s)", "value": values})
    for P, values in MEANT.items()
)
SINGLE = "\n".join(
    json.dumps({"params": {"p": P}, "callpath": "main", "metric": "time (s)", "value": value})
    for P, values in MEANT.items()
    for value in values
)
NUMBERED = json.dumps(
    {
        "parameters": [{"id": 1, "name": "p"}],
        "callpaths": [{"id": 7, "name": "main"}],
        "metrics": [{"id": 3, "name": "time (s)"}],
        "coordinates": [
            {"id": P, "parameter_value_pairs": [{"parameter_id": 1, "parameter_value": P}]}
            for P in MEANT
        ],
        "measurements": [
            {"id": 9, "callpath_id": 7, "metric_id": 3, "coordinate_id": P, "value": value}
            for P, values in MEANT.items()
            for value in values
        ],
    }
)


@pytest.mark.parametrize("text", [
    *(TEXT.format(points=points) for points in
      ("1 2 4", "(1) (2) (4)", "(1)(2)(4)", "( 1 ) ( 2 ) ( 4 )", "((1)) ((2)) ((4))")),
    JSON, LINES, SINGLE, NUMBERED,
])  # fmt: skip
def test_every_format_gives_the_values_of_the_table(text: str) -> None:
    found, expected = parse_measurements(text), parse_measurements(TABLE)
    assert (found.kind, found.unit) == ("time", "s")
    assert (found.processors, found.values) == (expected.processors, expected.values)


SEVERAL = """PARAMETER p
POINTS 1 2 4
REGION sweep
METRIC flops
DATA 7
DATA 8
DATA 9
METRIC time
DATA 30
DATA 20
DATA 10
REGION init
METRIC time
DATA 3
DATA 2
DATA 1
"""


def test_a_region_and_a_metric_are_chosen_by_name_and_the_time_by_itself() -> None:
    assert parse_measurements(SEVERAL, part=Part("sweep")).values == (30, 20, 10)
    assert parse_measurements(SEVERAL, part=Part("init", "time")).values == (3, 2, 1)
    flops = parse_measurements(SEVERAL, "throughput", part=Part("sweep", "flops"))
    assert (flops.kind, flops.values) == ("throughput", (7, 8, 9))


@pytest.mark.parametrize(("part", "message"), [
    (Part(), "there are 2 regions. Choose one as region: sweep, init"),
    (Part("sweeep"), r"there is no such region \(got 'sweeep'\).*sweep, init"),
    (Part("sweep", "bytes"), "there is no such metric.*flops, time"),
    (Part("sweep", "flops"), "this metric may be a time, a speedup or a throughput.*flops"),
])  # fmt: skip
def test_what_must_be_chosen_is_listed(part: Part, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_measurements(SEVERAL, part=part)


def test_a_table_has_no_regions() -> None:
    with pytest.raises(InputError, match="a table has no regions"):
        parse_measurements(TABLE, part=Part("main"))


@pytest.mark.parametrize(("text", "message"), [
    ("PARAMETER p n\nPOINTS (1 2) (2 2)\nREGION r\nDATA 1\nDATA 2\n",
     "2 parameters were varied: p, n; hold all but one fixed, or none"),
    ("PARAMETER p\nPARAMETER n\nPOINTS 1 2\nDATA 1\n", "2 parameters were varied"),
    ("POINTS 1 2\nDATA 1\n", "no parameter was varied"),
    ("PARAMETER p\nPOINTS 1 2\nDATA 1\n", "line 3: 1 DATA lines before here.* 2 POINTS"),
    ("PARAMETER p\nPOINTS 1\nDATA 1\nDATA 2\n", "line 4: more DATA lines than the 1 POINTS"),
    ("PARAMETER p\nPOINTS 1 2\nREGION a\nDATA 1\nREGION b\n", "line 5: 1 DATA lines"),
    ("PARAMETER p\nPOINTS 1\nDATA\n", "line 3: there is no value"),
    ("PARAMETER p\nPOINTS 1\nDATA 1,5\n", r"line 3: the value must be .* \(got '1,5'\)"),
    ("PARAMETER p\nPOINTS 1\nDATA -1\n", "line 3: the value must be a finite number > 0"),
    ("PARAMETER p\nPOINTS 1\nDATA nan\n", "line 3: the value must be"),
    ("PARAMETER p\nPOINTS 1.5\nDATA 1\n", "line 3: the point must be a whole number"),
    ("PARAMETER p\nPOINTS 1\nDAT 1\n", r"line 3: unknown word \(got 'DAT'\)"),
    ("PARAMETER p\nPOINTS 1\n", "there are no measurements"),
    ("PARAMETER p\nPOINTS 1\nMETRIC time (MB)\nDATA 1", "a time can't be in MB"),
    ("{}", "this JSON holds no measurements"),
    ("[1, 2]", "this JSON holds no measurements"),
    ('{"parameters": ["p"], "measurements": {"r": {"time": 3}}}', '"r", "time", point 1: expected'),
    ('{"parameters": ["p", "n"], "measurements": {}}', "there are no measurements"),
    ('{"parameters": ["p"], "measurements": {"r": []}}', '"r": expected a JSON object'),
    ('{"parameters": ["p"], "measurements": {"r": {"time": [{"point": [1, 2], "values": [1]}]}}}',
     "expected one point"),
    ('{"parameters": ["p"], "measurements": {"r": {"time": [{"point": [true], "values": [1]}]}}}',
     "the point must be a whole number"),
    ('{"params": {"p": 1}, "value": 2}\n{"params": {"p": 1}}', "line 2: expected params and"),
    ('{"params": {"p": 1, "n": 2}, "value": 2}', "2 parameters were varied"),
    ('{"params": {"p": 1}, "value": 2}\n{"params": {"q": 1}, "value": 2}', "line 2|2 parameters"),
    ('{"params": {"p": 1}, "value": 2', "line 1: not valid JSON"),
    ('{"parameters": [{"id": 1, "name": "p"}], "measurements": [{"id": 1}]}', "a part is missing"),
])  # fmt: skip
def test_a_wrong_file_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_measurements(text)


@given(
    st.dictionaries(
        st.integers(1, 10_000),
        st.lists(st.floats(1e-6, 1e6, allow_nan=False), min_size=1, max_size=3),
        min_size=1, max_size=6,
    )
)  # fmt: skip
def test_what_is_written_as_extra_p_is_read_as_a_table(runs: dict[int, list[float]]) -> None:
    text = "PARAMETER p\nPOINTS " + " ".join(f"({P})" for P in runs) + "\nMETRIC time\n"
    text += "".join("DATA " + " ".join(map(repr, values)) + "\n" for values in runs.values())
    table = "P;time\n" + "".join(f"{P};{v!r}\n" for P, values in runs.items() for v in values)
    assert parse_measurements(text) == parse_measurements(table)
