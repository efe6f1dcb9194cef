"""Resources, groups and variants in words, and back."""

from __future__ import annotations

import pytest

from advisor.allocation.task import Variant
from advisor.project import held_words as words
from machines import CoreGroup, InputError, Resource


def test_what_is_held_comes_back() -> None:
    held = (("gpu", 2), ("licence", 1))
    assert words.held_shown(held) == "2 gpu, 1 licence"
    assert words.held_read("2 gpu, licence") == (held, ())
    assert words.held_read(" ") == ((), ())


@pytest.mark.parametrize("size_bytes", [1, 16, 20_000_000_000, 1536 * 1024**2])
def test_the_memory_of_each_unit_comes_back_to_the_byte(size_bytes: int) -> None:
    held, memory = (("gpu", 2), ("licence", 1)), (("gpu", size_bytes),)
    assert words.held_read(words.held_shown(held, memory)) == (held, memory)
    variant = Variant("gpu", 1.0, memory_bytes=7, resources=held, unit_memory=memory)
    assert words.variants_read(words.variants_shown((variant,))) == (variant,)
    assert words.held_from({"resources": words.held_table(variant)}, "") == {
        "resources": held, "unit_memory": memory,
    }  # fmt: skip


def test_the_memory_of_each_unit_is_written_in_round_units() -> None:
    assert words.held_shown((("gpu", 1),), (("gpu", 20_000_000_000),)) == "1 gpu of 20 GB"
    assert words.held_read("gpu of 1.5 GiB")[1] == (("gpu", 1536 * 1024**2),)
    before = (Resource("gpu", 1, "A100"),)
    assert words.resources_read("2 gpu of 40 GB", before) == (
        Resource("gpu", 2, "A100", 40_000_000_000),
    )


@pytest.mark.parametrize(
    ("given", "message"),
    [({"gpu": {"memory_bytes": 0}}, "gpu: memory_bytes must be a whole"),
     ({"gpu": {"memory": 3}}, "gpu: unknown key"), ({"gpu": {"count": 0}}, "resources: gpu"),
     ({"gpu": 0.5}, "whole number from 1"), ("gpu", "must be a table")],
)  # fmt: skip
def test_what_a_file_can_not_hold_is_refused(given: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        words.held_from({"resources": given}, 'task "A"')


@pytest.mark.parametrize(
    ("text", "title"),
    [("15 GB/s", "Memory bandwidth"), ("1 gpu, 15.5 gb/s", "Memory bandwidth"),
     ("15 GB", "Memory"), ("512MiB", "Memory"), ("2 gpu, 1.5 TB", "Memory")],
)  # fmt: skip
def test_memory_is_no_resource(text: str, title: str) -> None:
    for read in (words.held_read, lambda one: words.resources_read(one, ())):
        with pytest.raises(InputError, match=f"Write it under {title}$"):
            read(text)


def test_resources_keep_what_is_known_of_their_kind() -> None:
    before = (Resource("gpu", 1, "A100", 40_000_000_000),)
    assert words.resources_shown(before) == "1 gpu of 40 GB"
    assert words.resources_read(words.resources_shown(before), before) == before
    assert words.resources_read("3 gpu, 1 fpga of 8 GB", before) == (
        Resource("gpu", 3, "A100"), Resource("fpga", 1, memory_bytes=8_000_000_000),
    )  # fmt: skip
    assert words.described(before[0]) == "1 gpu (A100, 40.0 GB each)"


def test_core_groups_come_back() -> None:
    groups = (CoreGroup("P", 8), CoreGroup("E", 4, 0.5))
    assert words.groups_shown(groups) == "8 P, 4 E × 0.5"
    assert words.groups_read("8 P, 4 E x 0.5") == groups
    assert words.groups_read("") == ()


def test_variants_come_back() -> None:
    variants = (
        Variant("cpu", 600.0, cores=8),
        Variant("gpu", None, (("node", 40.0),), 1, 12_000_000_000, (("gpu", 1),)),
    )
    moved = (*variants, Variant("streamed", 600.0, memory_bandwidth=8e9))
    assert words.variants_read(words.variants_shown(moved)) == moved
    assert words.variants_read(words.variants_shown(variants)) == variants
    assert (
        words.variants_read("cpu: 10 min work, 8 cores\ngpu: 40 s on node, 1 gpu, 12 GB")
        == variants
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [("40 s on node", "has no name"), ("gpu: 1 gpu", "give either work or seconds"),
     ("a: 1 s work, 3", "units of what"), ("a: 1 s work, holds 1 gpu", "no count and kind"),
     ("a: 1 s work, 0 gpu", "whole number from 1"), ("a: 1 s on M, 2 s on M", "stated twice"),
     ("a: 1 s work, 1.5 gpu", r"got '1\.5 gpu'"), ("a: 1 s work, 0 cores", "from 1 up")],
)  # fmt: skip
def test_what_is_no_variant_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        words.variants_read(text)


@pytest.mark.parametrize("text", ["-1 gpu", "gpu two", "gpu 2", "holds 1 gpu", "1 gpu, +fpga"])
def test_what_is_no_count_and_kind_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="no count and kind"):
        words.resources_read(text, ())


@pytest.mark.parametrize(
    ("text", "message"),
    [("-1 P", "no count and name"), ("1.5 P, 2 E", r"got '1\.5 P'"), ("8 P × -1", "speed of these"),
     ("8 P × fast", "speed of these"), ("8 P × 0", "speed is out of range"), ("0 P", "from 1 up")],
)  # fmt: skip
def test_what_are_no_core_groups_is_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        words.groups_read(text)


@pytest.mark.parametrize("text", ["12 GB", "12 gb", "12 gB", "12000 MB", "12000000000 B"])
def test_memory_is_memory_however_it_is_written(text: str) -> None:
    (variant,) = words.variants_read(f"gpu: 1 s work, 2 xpu, {text}")
    assert (variant.memory_bytes, variant.resources) == (12_000_000_000, (("xpu", 2),))
