"""One network form: each source in each study, what it says of its numbers, and what it refuses."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from advisor.commands.cli import main
from advisor.studies import STUDIES, StudyResult, parameters_of, parse_settings
from advisor.studies.network_settings import NetworkSettings, ShapedNetworkSettings
from advisor.studies.network_source import network_of_settings
from machines import Interconnect, LogGP, Mesh, Platform
from machines.catalogue import interconnect
from machines.errors import InputError
from machines.formats.platform_toml import write_platform
from machines.platform import Machine

SMALL = {
    "styles": ("message_bytes=500", "largest_bytes=2000"),
    "mapping": ("pattern=ring", "seconds=0.02"),
    "blocks": ("n=64",),
    "trees": ("back_ends=40", "size_bytes=500"),
    "scaling": ("source=LogP", "think_time=500", "message_bits=4000"),
}
SHAPED = [name for name in SMALL if name != "trees"]
EVERY = pytest.mark.parametrize("name", SMALL)
COSTS = LogGP(L=6.0, o_s=2.0, o_r=3.0, g=4.0, G=0.01)
LAB = Interconnect("Lab", Mesh((4, 4), wrap=True), replace(COSTS, G=0.0), COSTS, "µs", 1e-6, "us")
STATED = ("network=own numbers", "latency=6", "overhead=2", "overhead_receive=3", "gap=4")
SHAPE = "dims=4x4 torus"


@pytest.fixture
def lab(tmp_path: Path) -> str:
    """A platform whose second parallel machine has the network of the tests."""
    machines = (
        Machine("host"),
        Machine("first", network=interconnect("alewife")),
        Machine("second", network=LAB),
    )
    path = tmp_path / "lab.toml"
    write_platform(Platform("lab", machines), path)
    return str(path)


@pytest.fixture
def pingpong(tmp_path: Path) -> str:
    """One-way times of exactly 11 µs and 0.01 µs a byte."""
    sizes = (1, 10, 100, 1000, 10_000)
    rows = "\n".join(f"{size},{(11.0 + 0.01 * size) * 1e-6!r}" for size in sizes)
    path = tmp_path / "pp.csv"
    path.write_text(f"size_bytes,seconds_one_way\n{rows}\n", encoding="utf-8")
    return str(path)


def asked(name: str, *settings: str) -> NetworkSettings:
    found = parse_settings(STUDIES[name].record, (*SMALL[name], *settings))
    assert isinstance(found, NetworkSettings)
    return found


def answer(name: str, *settings: str) -> StudyResult:
    return STUDIES[name].run(asked(name, *settings))


@cache
def by_hand(name: str) -> StudyResult:
    """The answer for the numbers of `COSTS` by hand."""
    return answer(name, *stated(name))


def stated(name: str) -> tuple[str, ...]:
    """The numbers of `COSTS` by hand: trees take G in ns, scaling L with its bytes."""
    if name == "trees":
        return (*STATED, "gap_per_byte=10")
    if name == "scaling":  # 500 bytes take 5 µs on a channel; 2 hops of 3 µs make the other 6
        own = ("network=own numbers", "latency=11", "overhead=2", "overhead_receive=3", "gap=4")
        return (*own, "gap_per_byte=0.01", "hop_time=3", SHAPE, "unit=µs")
    return (*STATED, "gap_per_byte=0.01", SHAPE)


def same(one: StudyResult, other: StudyResult) -> None:
    """The same answer to the last digits; where it comes from may be told in other words."""
    assert one.sentence == other.sentence
    assert one.reasons == other.reasons
    assert len(one.series) == len(other.series)
    for mine, theirs in zip(one.series, other.series, strict=True):
        assert mine.name == theirs.name
        assert mine.y == pytest.approx(theirs.y, rel=1e-9)
        assert mine.y_unit == theirs.y_unit


def texts(result: StudyResult) -> str:
    return "\n".join(note.text for note in result.notes)


@EVERY
def test_a_platforms_network_answers_as_its_numbers_do(name: str, lab: str) -> None:
    found = answer(name, "network=platform", f"platform={lab}", "machine=second")
    same(found, by_hand(name))
    assert 'Lab, inside machine "second"' in texts(found)


@EVERY
def test_a_measured_network_answers_as_its_numbers_do(name: str, pingpong: str) -> None:
    own = ("overhead=2.5", "gap=4", *(() if name == "trees" else (SHAPE,)))
    found = answer(name, "network=ping-pong", f"pingpong={pingpong}", *own)
    own_o = [
        setting.replace("overhead=2", "overhead=2.5").replace("receive=3", "receive=2.5")
        for setting in stated(name)
    ]
    same(found, answer(name, *own_o))
    assert "Fitted to 5 ping-pongs" in texts(found)


@EVERY
def test_a_shipped_network_answers_as_its_numbers_do(name: str) -> None:
    net = interconnect("myrinet-now")
    p, shape = net.long, "dims=32 crossbar"
    own = [
        "network=own", f"latency={p.L!r}", f"overhead={p.o_s!r}", f"gap={p.g!r}",
        f"gap_per_byte={1000 * p.G if name == 'trees' else p.G!r}",
    ]  # fmt: skip
    if name == "scaling":
        own[1] = f"latency={p.L + 500 * p.G!r}"
        own += [f"hop_time={p.L!r}", "unit=µs"]
    same(answer(name, "network=myrinet-now"), answer(name, *own, *[shape] * (name != "trees")))


@EVERY
def test_the_open_projects_platform_is_the_one_of_its_file(name: str, lab: str) -> None:
    from_file = asked(name, "network=platform", f"platform={lab}", "machine=second")
    platform = Platform("lab", (Machine("first"), Machine("second", network=LAB)))
    opened = replace(asked(name, "network=platform"), open_platform=platform)
    assert network_of_settings(opened).net == network_of_settings(from_file).net == LAB


@EVERY
def test_a_shipped_network_has_no_note_of_its_own(name: str) -> None:
    assert network_of_settings(asked(name, "network=alewife")).notes == ()


def test_the_first_parallel_machine_is_taken_and_said_to_be_one_of_several(lab: str) -> None:
    found = network_of_settings(asked("styles", "network=platform", f"platform={lab}"))
    assert found.net == interconnect("alewife")
    assert 'machine "first"' in found.notes[0].text
    assert "one of 2" in found.notes[0].text


def test_a_platforms_network_takes_another_shape(lab: str) -> None:
    found = network_of_settings(asked("styles", "network=platform", f"platform={lab}", "dims=2x3"))
    assert found.net.network == Mesh((2, 3))


@pytest.mark.parametrize("name", SHAPED)
def test_overhead_and_gap_that_nobody_stated_are_said_to_be_assumed(
    name: str, pingpong: str
) -> None:
    found = answer(name, "network=ping-pong", f"pingpong={pingpong}", SHAPE)
    doubts = [note.text for note in found.notes if not note.inside_domain]
    assert any("Assumed: o = 2.75 µs" in text and "0 to 5.5 µs fits" in text for text in doubts)
    assert any("Assumed: g = 2.75 µs" in text for text in doubts)
    own = answer(name, "network=ping-pong", f"pingpong={pingpong}", SHAPE, "overhead=1", "gap=2")
    assert "Assumed" not in texts(own)


def test_nodes_without_a_shape_are_a_crossbar_and_said_to_be() -> None:
    found = network_of_settings(asked("mapping", *STATED, "gap_per_byte=0.01", "nodes=12"))
    assert (found.net.network.kind, found.net.network.size) == ("crossbar", 12)
    assert "Assumed: a crossbar" in found.notes[-1].text


def test_cycles_have_a_length_and_short_messages_have_no_price_of_bytes() -> None:
    own = (*STATED, "gap_per_byte=0.01", SHAPE, "unit=cycle")
    found = network_of_settings(asked("styles", *own, "cycle_ns=50"))
    assert (found.net.unit, found.net.unit_s) == ("cycle", pytest.approx(50e-9))
    assert found.net.short == replace(COSTS, G=0.0)
    assert "Assumed: a cycle of 1 ns" in network_of_settings(asked("styles", *own)).notes[1].text


OWN = (*STATED, "gap_per_byte=0.01")
WRONG = [
    (("network=own",), r"not complete.*latency=, overhead=, gap_per_byte=, dims="),
    ((*OWN,), r"setting network.*Give dims="),
    ((*OWN, "dims=8x8", "nodes=60"), r"setting dims.*64 nodes, not 60.*8x8.*shape of 60 nodes"),
    ((*OWN, "dims=eight"), r"setting dims.*no dimensions.*eight"),
    ((*OWN, "dims=8x0"), r"setting dims: these are no dimensions.*8x0.*Write 8x4"),
    (("dims=4x",), r"setting dims: these are no dimensions.*4x.*Write 8x4"),
    (("dims=8x4 ring",), r"setting dims: unknown kind of network.*8x4 ring.*Known: mesh"),
    (("dims=3x3 hypercube",), r"setting dims: a hypercube has 2 nodes.*3x3 hyper.*Write 8x4"),
    (
        ("dims=1000x1000",),
        r"setting dims: 1,000,000 nodes need tables of some 5,587.9 GiB.*1000x1000.*At most",
    ),
    ((*OWN, "nodes=1000000"), r"setting nodes: 1,000,000 nodes need tables.*At most"),
    (("network=own", "gap=-1"), r"setting gap: .*out of range.*-1.*0 to"),
    (("network=own", "latency=-1"), r"setting latency.*-1"),
    (("network=own", "overhead=-1"), r"setting overhead.*-1"),
    (("network=own", "gap_per_byte=-1"), r"setting gap_per_byte.*-1"),
    (("network=platform",), r"setting platform: no platform is open.*--platform"),
    (("network=platform", "platform=two-machines"), r"no machine of .* has a network inside"),
    (("network=platform", "platform=multicomputer", "machine=Sun"), r"setting machine.*Sun"),
    (("network=platform", "platform=nowhere.toml"), r"setting platform.*nowhere.toml"),
    (("network=ping-pong",), r"setting pingpong.*needs a ping-pong file"),
    (("network=paragn",), r"setting network.*paragn"),
]


@pytest.mark.parametrize("name", ["styles", "blocks"])
@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("dims=1x1", r"setting dims: a single node sends no messages.*1x1.*two nodes or more"),
        ("processors=33", r"setting processors: the network has 32 nodes.*33.*up to 32"),
    ],
)
def test_processors_that_a_network_has_no_nodes_for_are_refused_under_their_field(
    name: str, setting: str, words: str
) -> None:
    with pytest.raises(InputError, match=words):
        answer(name, setting)


@pytest.mark.parametrize(("settings", "words"), WRONG)
@pytest.mark.parametrize("name", ["styles", "mapping", "blocks"])
def test_what_is_no_network_is_refused_with_place_value_and_remedy(
    name: str, settings: tuple[str, ...], words: str
) -> None:
    with pytest.raises(InputError, match=words):
        answer(name, *settings)


def test_a_record_made_in_python_is_checked_too() -> None:
    record = STUDIES["styles"].record
    with pytest.raises(InputError, match=r"own numbers.*g is"):
        STUDIES["styles"].run(
            record(
                network="own numbers",
                latency=1.0,
                overhead=1.0,
                gap=-1.0,
                gap_per_byte=1.0,
                dims="4x4",
            )
        )


@pytest.mark.parametrize("name", ["styles", "blocks"])
def test_bytes_that_take_no_time_are_refused_where_they_must(name: str) -> None:
    with pytest.raises(InputError, match=r"bytes take no time.*gap_per_byte"):
        answer(name, *STATED, "gap_per_byte=0", SHAPE)


ROWS = [
    (("1,1e-6", "1,2e-6"), "size"),
    (("1,9e-6", "1000,2e-6"), "do not grow with size"),
    (("1,-1e-6", "1000,2e-6"), r"line 2.*seconds_one_way.*above 0.*-1e-6"),
    (("1,5", "1000,9"), r"so many seconds.*Times are in seconds"),
    (("1,5e-6", "1000,7200"), r"7200.*Times are in seconds"),
    (("1,5e-13", "1000,1e-6"), r"5e-13.*Times are in seconds"),
]


@EVERY
@pytest.mark.parametrize(("rows", "words"), ROWS)
def test_measurements_that_can_not_be_are_refused_by_file(
    name: str, rows: tuple[str, ...], words: str, tmp_path: Path
) -> None:
    path = tmp_path / "odd.csv"
    path.write_text("\n".join(("size_bytes,seconds_one_way", *rows)), encoding="utf-8")
    shape = () if name == "trees" else (SHAPE,)
    with pytest.raises(InputError, match=rf"odd\.csv.*{words}"):
        answer(name, "network=ping-pong", f"pingpong={path}", *shape)


@pytest.mark.parametrize("name", SHAPED)
def test_more_overhead_than_was_measured_is_refused(name: str, pingpong: str) -> None:
    with pytest.raises(InputError, match=r"setting overhead.*11.0 µs.*up to 11 µs together"):
        answer(name, "network=ping-pong", f"pingpong={pingpong}", "overhead=6", SHAPE)


@EVERY
def test_a_platform_is_named_on_the_command_line(
    name: str, lab: str, capsys: pytest.CaptureFixture[str]
) -> None:
    sets = [f"--set={setting}" for setting in (*SMALL[name], "machine=second")]
    assert main(["study", name, *sets, "--platform", lab]) == 0
    first = capsys.readouterr().out
    assert main(["study", name, *sets, "--set", "network=platform", "--platform", lab]) == 0
    assert capsys.readouterr().out == first
    sentence = by_hand(name).sentence
    assert first.splitlines()[0] == f"On second, {sentence[0].lower()}{sentence[1:]}"


def test_former_names_and_words_still_say_the_same() -> None:
    trees = STUDIES["trees"].record
    assert parse_settings(trees, ["costs=own", "overhead_send=1"]) == parse_settings(
        trees, ["network=own numbers", "overhead=1"]
    )
    scaling = STUDIES["scaling"].record
    assert parse_settings(scaling, ["network=numbers"]) == parse_settings(scaling, [])
    with pytest.raises(InputError, match="given twice"):
        parse_settings(trees, ["costs=own", "network=own"])


def test_the_five_studies_ask_for_a_network_in_the_same_words() -> None:
    one = {field.name for field in parameters_of(NetworkSettings)}
    shaped = {field.name for field in parameters_of(ShapedNetworkSettings)}
    for name in SMALL:
        names = {field.name for field in parameters_of(STUDIES[name].record)}
        assert names >= (shaped if name in SHAPED else one)
