"""Parameter records: their description, and settings parsed into them."""

from __future__ import annotations

import dataclasses
import sys
from dataclasses import dataclass
from types import ModuleType

import pytest

from advisor.project.questions import Question
from advisor.studies import QUESTIONS, STUDIES
from advisor.studies.parameters import parameter, parameters_of, parse_settings
from advisor.studies.study import CheckOf, Series, Study, StudyResult
from machines import InputError


@dataclass(frozen=True)
class Thing:
    """An input that no text can give."""

    name: str = "thing"


@dataclass(frozen=True)
class Settings:
    problem: Thing
    size: int = parameter(4, unit="B", low=1, high=10, help="How big.")
    speed: float = parameter(1.5, low=0.0, help="How fast.")
    end: float | None = parameter(None, help="Where it ends.", title="Right end")
    colour: str = parameter("red", choices=("red", "blue"), help="Which.")
    note: str = parameter("", help="Anything.")
    loud: bool = parameter(False, help="Whether.")


def test_a_record_describes_its_fields() -> None:
    fields = {field.name: field for field in parameters_of(Settings)}
    assert list(fields) == ["problem", "size", "speed", "end", "colour", "note", "loud"]
    assert not fields["problem"].is_setting
    assert fields["problem"].default is dataclasses.MISSING
    assert (fields["size"].kind, fields["size"].unit, fields["size"].high) == (int, "B", 10)
    assert (fields["end"].kind, fields["end"].optional) == (float, True)
    assert fields["end"].title == "Right end"
    assert fields["colour"].choices == ("red", "blue")
    assert fields["loud"].help == "Whether."


def test_settings_are_parsed_by_the_type_of_their_field() -> None:
    texts = ["size=7", "speed = 2e3", "end=3.5", "colour=blue", "note=a=b", "loud=yes"]
    assert parse_settings(Settings, texts, problem=Thing()) == Settings(
        Thing(), 7, 2000.0, 3.5, "blue", "a=b", True
    )


@pytest.mark.parametrize(
    ("setting", "value"), [("speed=2k", 2000.0), ("speed=3e3", 3000.0), ("size=0.004 kB", 4)]
)
def test_a_number_may_carry_prefix_and_unit(setting: str, value: float) -> None:
    found = parse_settings(Settings, [setting], problem=Thing())
    assert getattr(found, setting.partition("=")[0]) == value


def test_a_comma_between_thousands_is_not_read_as_a_decimal_one() -> None:
    with pytest.raises(InputError, match="no number"):
        parse_settings(Settings, ["speed=1,024"], problem=Thing())


def test_what_is_not_set_keeps_its_default() -> None:
    found = parse_settings(Settings, ["end=auto", "loud=0"], problem=Thing())
    assert found == Settings(Thing())


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("size", "key=value"),
        ("sise=3", "Did you mean size"),
        ("zzz=3", "Settings: size, speed"),
        ("problem=x", "unknown setting"),
        ("size=3.5", "no whole number"),
        ("size=11", "Allowed: 1 to 10 B"),
        ("speed=fast", "no number"),
        ("speed=nan", "out of range"),
        ("speed=inf", "out of range"),
        ("speed=-1", "out of range"),
        ("colour=green", "red, blue"),
        ("loud=maybe", "neither yes nor no"),
    ],
)
def test_a_wrong_setting_is_refused_with_what_is_allowed(setting: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_settings(Settings, [setting], problem=Thing())


def test_a_setting_given_twice_is_refused() -> None:
    with pytest.raises(InputError, match="twice"):
        parse_settings(Settings, ["size=3", "size=4"], problem=Thing())


def test_a_study_knows_whether_it_needs_a_problem() -> None:
    @dataclass(frozen=True)
    class Free:
        size: int = parameter(1, help="How big.")

    def run(record: object) -> StudyResult:
        return StudyResult("done")

    assert Study(Question("a", "A", "?"), Settings, run).needs_problem
    assert not Study(Question("b", "B", "?"), Free, run).needs_problem


def test_a_field_tells_why_it_is_not_used() -> None:
    @dataclass(frozen=True)
    class Sending:
        pattern: str = parameter("ring", choices=("ring", "hotspot"), help="Communication pattern.")
        share: float = parameter(0.1, help="To one node.", only={"pattern": ("hotspot",)})

    pattern, share = parameters_of(Sending)
    assert pattern.unused({"pattern": "ring"}) == ""
    assert share.unused({"pattern": "hotspot"}) == ""
    assert share.unused({"pattern": "ring"}) == "Only used with pattern hotspot."


def test_a_label_belongs_to_every_point_or_to_none() -> None:
    with pytest.raises(InputError, match="each y needs a label"):
        Series("s", (1.0, 2.0), (1.0, 2.0), "x", "", "y", "", labels=("first",))


@pytest.mark.parametrize("widths", [(0.1,), (0.1, -0.2), (0.1, float("nan"))])
def test_half_widths_that_fit_no_points_are_refused(widths: tuple[float, ...]) -> None:
    with pytest.raises(InputError, match="half width"):
        Series("s", (1.0, 2.0), (3.0, 4.0), "x", "", "y", "", "points", widths)


def test_a_picture_is_found_by_its_kind_and_the_first_of_a_kind_is_the_main_one() -> None:
    result = StudyResult("Done.", pictures=(1, "first", 2.5, "second", True))
    assert result.picture(str) == "first"
    assert result.picture(float) == 2.5
    assert result.picture(int) == 1
    assert result.picture(list) is None
    assert StudyResult("Done.").picture(str) is None


def test_a_simulation_is_loaded_when_it_is_asked_for_and_given_what_was_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    check = CheckOf("tests.simulation_of_nothing")  # not imported here
    asked: list[object] = []
    module = ModuleType("tests.simulation_of_nothing")

    def simulate(*given: object) -> str:
        asked.extend(given)
        return "simulated"

    module.check = simulate  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, module.__name__, module)
    told: list[object] = []

    def stop() -> bool:
        return False

    assert check("record", told.append, stop) == "simulated"  # type: ignore[comparison-overlap]
    assert asked == ["record", told.append, stop]
    asked.clear()
    check("record")
    assert asked == ["record", None, None]


def test_a_study_that_has_no_such_simulation_fails_when_it_is_asked() -> None:
    with pytest.raises(ModuleNotFoundError, match="nowhere"):
        CheckOf("advisor.studies.nowhere.check")("record")


def test_studies_are_those_of_the_questions_in_their_order() -> None:
    assert list(STUDIES) == list(QUESTIONS)
    assert len(STUDIES) == len(QUESTIONS)
    assert "styles" in STUDIES
    with pytest.raises(KeyError):
        STUDIES["nothing"]
    for name, study in STUDIES.items():
        asks = QUESTIONS[name]
        assert (study.name, study.title, study.question) == (name, asks.title, asks.question)


def test_a_file_stands_for_its_settings_and_a_second_one_for_others() -> None:
    (option, platform) = QUESTIONS["scaling"].files
    assert option.settings_for("a.csv") == ["source=data", "data=a.csv"]
    assert option.settings_for("b.csv", second=True) == ["against=b.csv"]
    assert platform.settings_for("{x}.toml") == ["platform={x}.toml"]
    assert platform.settings_for("lab.toml", second=True) == []  # once is all
    assert platform.implied == ("source=LogP", "network=platform")


@pytest.mark.parametrize("half_width", [(0.0, 0.0), (0.5, 1e9), ()])
def test_half_widths_of_all_points_or_none_are_kept(half_width: tuple[float, ...]) -> None:
    one = Series("s", (1.0, 2.0), (3.0, 4.0), "x", "", "y", "", half_width=half_width)
    assert one.half_width == half_width
    with pytest.raises(InputError, match=r"series s: each y needs a half width \(got '3 of 2'\)"):
        Series("s", (1.0, 2.0), (3.0, 4.0), "x", "", "y", "", half_width=(1.0, 1.0, 1.0))
