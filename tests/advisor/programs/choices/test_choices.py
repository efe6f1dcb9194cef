"""What plans choose about programs: values that are read, written, put in and said."""

from __future__ import annotations

import math

import pytest

from advisor.messages.styles import (
    ASYNCHRONOUS,
    BLOCKING,
    NON_BLOCKING,
    SHORT,
    STYLES,
    SYNCHRONOUS,
    Style,
)
from advisor.programs.choices.block import BLOCK
from advisor.programs.choices.mapping_choice import MAPPING, MAPPING_NAMES, MOST_OPTIMISED
from advisor.programs.choices.program_choice import CHOOSE
from advisor.programs.choices.style import STYLE
from advisor.programs.choices.technology import TECHNOLOGY, SoftwareTechnology
from advisor.programs.diamond_program import DiamondDag
from advisor.programs.kinds import KINDS
from advisor.programs.remap import Remap
from machines import InputError, Machine
from machines.catalogue import interconnect

NET = interconnect("alewife")
MACHINE = Machine("P", network=NET)
OPEN = Remap(10, 64.0, completion=CHOOSE, transport=CHOOSE, pattern="shift", reach=3)
WAVE = DiamondDag(n=64, element_s=1e-6)


def test_every_style_has_a_key_that_reads_back() -> None:
    keys = [STYLE.write(style) for style in STYLES]
    assert [STYLE.read(key) for key in keys] == list(STYLES)
    assert len(set(keys)) == len(STYLES)
    assert "asynchronous-short" in keys


def test_long_alone_computes_on_if_asynchronous_and_waits_if_synchronous() -> None:
    assert STYLE.read("asynchronous-long") == Style(ASYNCHRONOUS, NON_BLOCKING)
    assert STYLE.read("synchronous-long") == Style(SYNCHRONOUS, BLOCKING)


@pytest.mark.parametrize("value", ["asynchronous-shrt", None, 3, ""])
def test_an_unknown_style_is_refused(value: object) -> None:
    with pytest.raises(InputError, match="unknown message style"):
        STYLE.read(value)


def test_of_a_style_is_open_what_the_program_does_not_state() -> None:
    assert STYLE.is_open(OPEN)
    assert STYLE.options(OPEN, MACHINE) == tuple(STYLES)
    half = Remap(10, 64.0, completion=CHOOSE, transport=SHORT)
    assert STYLE.is_open(half)
    assert {one.transport for one in STYLE.options(half, MACHINE)} == {SHORT}
    stated = Remap(10, 64.0, completion=SYNCHRONOUS, transport=SHORT)
    assert not STYLE.is_open(stated)
    assert STYLE.options(stated, MACHINE) == (Style(SYNCHRONOUS, SHORT),)


def test_a_style_is_put_in_and_present() -> None:
    for style in STYLES:
        changed = STYLE.applied(OPEN, style)
        assert STYLE.present(changed, MACHINE) == style
        assert not STYLE.is_open(changed)
        assert set(STYLE.neighbours(changed, MACHINE, style)) == set(STYLES) - {style}


def test_mappings_are_names_or_nodes() -> None:
    for name in MAPPING_NAMES:
        assert MAPPING.read(MAPPING.write(name)) == name
        assert MAPPING.words(name) == name
    assert MAPPING.read([3, 1, 2]) == (3, 1, 2)
    assert MAPPING.write((3, 1, 2)) == [3, 1, 2]
    assert MAPPING.words((3, 1, 2)) == "own nodes"
    assert MAPPING.words(CHOOSE) == "row-major"
    for value in ("hilbrt", 3, None, [1.5], ["x"]):
        with pytest.raises(InputError):
            MAPPING.read(value)


def test_orders_that_the_network_allows_are_tried_and_swaps_where_they_matter() -> None:
    assert MAPPING.is_open(OPEN)
    options = MAPPING.options(OPEN, MACHINE)
    assert options[-1] == "optimised"
    assert {"row-major", "snake"} <= set(options)
    to_all = Remap(10, 64.0)
    assert "optimised" not in MAPPING.options(to_all, MACHINE)
    assert MAPPING.options(OPEN, Machine("plain")) == ()
    assert MAPPING.neighbours(OPEN, MACHINE, "snake") == tuple(
        one for one in options if one != "snake"
    )
    assert NET.network.size <= MOST_OPTIMISED


def test_a_mapping_of_the_wrong_length_or_twice_the_same_node_is_refused_where_it_runs() -> None:
    for nodes in ((0, 1, 2), (0,) * NET.network.size):
        with pytest.raises(InputError):
            MAPPING.applied(OPEN, nodes).check(MACHINE)


def test_swaps_load_the_busiest_channel_no_more_than_any_order() -> None:
    """A shift by 3 on the mesh; fewer cycles wait for channels."""
    seconds = {
        one: STYLE.applied(MAPPING.applied(OPEN, one), Style(SYNCHRONOUS, SHORT))
        .cost(MACHINE)
        .seconds
        for one in MAPPING.options(OPEN, MACHINE)
    }
    assert seconds["optimised"] == min(seconds.values())
    again = STYLE.applied(MAPPING.applied(OPEN, "optimised"), Style(SYNCHRONOUS, SHORT))
    assert again.cost(MACHINE).seconds == seconds["optimised"]


def test_the_best_block_of_a_wavefront_is_the_least_of_all_by_its_own_cost() -> None:
    (best,) = BLOCK.options(WAVE, MACHINE)
    assert BLOCK.is_open(WAVE)
    assert BLOCK.present(WAVE, MACHINE) == best
    most = WAVE.most_blocks(MACHINE)
    seconds = {b: BLOCK.applied(WAVE, b).cost(MACHINE).seconds for b in range(1, most + 1)}
    assert seconds[best] == pytest.approx(min(seconds.values()))
    assert WAVE.cost(MACHINE).seconds == pytest.approx(min(seconds.values()))


def test_the_best_block_is_near_the_papers_square_root() -> None:
    """n = 64 elements of 1 µs on 32 processors, by hand from the terms that depend on b.

    (P + b − 1) n²/(P b) t + per block o_s, and o_r for b + P − 2, and bytes: as a function of b
    a/b + c b, whose least is at sqrt(a/c).
    """
    p, unit, P, n = NET.long, NET.unit_s, NET.network.size, 64
    a = (P - 1) * n * n / P * 1e-6
    c = (p.o_s + p.o_r) * unit
    (best,) = BLOCK.options(DiamondDag(n=n, element_s=1e-6, mapping="snake"), MACHINE)
    assert 0.5 <= best / math.sqrt(a / c) <= 2.0


def test_blocks_go_in_steps_and_doublings_within_the_stripe() -> None:
    most = WAVE.most_blocks(MACHINE)
    for here in (1, 2, 7, most):
        near = {here - 1, here + 1, here // 2, 2 * here} - {here}
        expected = {one for one in near if 1 <= one <= most}
        assert set(BLOCK.neighbours(WAVE, MACHINE, here)) == expected
    assert (BLOCK.read(3), BLOCK.write(3), BLOCK.words(1)) == (3, 3, "1 block")
    assert not BLOCK.is_open(BLOCK.applied(WAVE, 3))
    for value in (0, 1.5, "3", None):
        with pytest.raises(InputError):
            BLOCK.read(value)
    with pytest.raises(InputError, match="no more blocks than columns"):
        BLOCK.applied(WAVE, 65)


def test_where_a_wavefront_can_not_run_it_has_no_best_number() -> None:
    plain = Machine("plain")
    assert BLOCK.present(WAVE, plain) is None
    assert BLOCK.words(None) == "the best number"
    assert BLOCK.options(WAVE, plain) == BLOCK.neighbours(WAVE, plain, None) == ()
    assert BLOCK.present(BLOCK.applied(WAVE, 3), plain) == 3
    assert BLOCK.neighbours(BLOCK.applied(WAVE, 3), plain, 3) == ()


def test_a_technology_is_what_it_is_below_that_of_1997() -> None:
    assert TECHNOLOGY.read(None) is None
    assert TECHNOLOGY.write(None) is None
    assert TECHNOLOGY.words(None) == "as the machine's"
    better = SoftwareTechnology(protocol=0.5, lock=0.25)
    assert TECHNOLOGY.write(better) == {"protocol": 0.5, "lock": 0.25}
    assert TECHNOLOGY.read(TECHNOLOGY.write(better)) == better
    assert TECHNOLOGY.words(better) == "protocol 50 %, locks 25 %"
    assert TECHNOLOGY.words(SoftwareTechnology()) == "of 1997"
    for value in ({"speed": 2}, {"fault": 1.5}, {"fault": -0.1}, "fast"):
        with pytest.raises(InputError):
            TECHNOLOGY.read(value)


def test_no_technology_is_chosen_for_a_user() -> None:
    program = next(kind for kind in KINDS if TECHNOLOGY in kind.choices).first()
    assert not TECHNOLOGY.is_open(program)
    assert TECHNOLOGY.options(program, MACHINE) == (None,)
    assert TECHNOLOGY.neighbours(program, MACHINE, None) == ()
    half = TECHNOLOGY.applied(program, SoftwareTechnology(protocol=0.5))
    assert TECHNOLOGY.present(half, MACHINE) == SoftwareTechnology(protocol=0.5)


def test_every_choice_of_every_kind_is_said() -> None:
    for kind in KINDS:
        for choice in kind.choices:
            assert choice.name
            assert choice.title
            assert choice.help
