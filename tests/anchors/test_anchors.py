"""Every published or computed check value against what the models give.

Each JSON list beside this file holds one call a record: its arguments and the expected value, or
the refusal. Another model's values are tested by putting its list here.
"""

import importlib
import json
import math
from collections.abc import Mapping
from pathlib import Path

import pytest

FILES = sorted(Path(__file__).parent.glob("*.json"))
RECORDS = [record for file in FILES for record in json.loads(file.read_text(encoding="utf-8"))]


def imported(dotted):
    """The object of a dotted name, whether module attribute or attribute of a class."""
    parts = dotted.split(".")
    for length in range(len(parts), 0, -1):
        name = ".".join(parts[:length])
        if importlib.util.find_spec(parts[0]) and _is_module(name):
            found = importlib.import_module(name)
            for attribute in parts[length:]:
                found = getattr(found, attribute)
            return found
    raise AssertionError(f"{dotted} does not exist")


def _is_module(name):
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:
        return False


def resolved(value):
    """The argument that a record means: {"$": name} is that object or what it builds."""
    if isinstance(value, list):
        return [resolved(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "$" not in value:
        return {key: resolved(item) for key, item in value.items()}
    target = imported(value["$"])
    if "args" not in value:
        return target
    arguments = resolved(value["args"])
    return target(*arguments) if isinstance(arguments, list) else target(**arguments)


def assert_close(got, expected, rtol):
    if expected is None or isinstance(expected, bool):
        assert got is expected
    elif isinstance(expected, dict):
        for key, value in expected.items():
            assert_close(got[key] if isinstance(got, Mapping) else getattr(got, key), value, rtol)
    elif isinstance(expected, list):
        assert len(got) == len(expected)
        for one, other in zip(got, expected, strict=True):
            assert_close(one, other, rtol)
    else:
        assert math.isclose(got, expected, rel_tol=rtol, abs_tol=1e-12), (got, expected)


def call(record):
    arguments = resolved(record["args"])
    return imported(record["call"])(**arguments)


@pytest.mark.parametrize("called", sorted({record["call"] for record in RECORDS}))
def test_the_model_gives_the_check_values(called):
    for record in RECORDS:
        if record["call"] == called:
            try:
                check(record)
            except BaseException as error:
                error.add_note(record["id"])
                raise


def check(record):
    if "raises" in record:
        with pytest.raises(ValueError, match=r"\S"):
            call(record)
    else:
        assert_close(call(record), record["expect"], record["rtol"])


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_list_of_check_values_is_empty(file):
    assert len(json.loads(file.read_text(encoding="utf-8"))) > 0


def test_there_are_check_values_of_every_model_and_the_machines():
    assert {"dvsm", "logpc", "machines", "mrm", "slowdown"} <= {file.stem for file in FILES}


def test_no_two_records_have_one_id():
    ids = [record["id"] for record in RECORDS]
    assert len(set(ids)) == len(ids)
