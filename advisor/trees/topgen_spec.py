"""Specifications of trees as mrnet_topgen takes them: ``b:`` balanced, ``k:`` k-nomial, ``g:`` any.

``b:4^3`` or ``b:2x4x8`` is a fan-out for each level. ``k:2@16`` doubles: of 16 processes those
that are there take one child each, round after round. ``g:3:2,0,5`` says level by level how many
children each process has; ``4x2`` is four with two each, and who is left out has none. Checked
against files of mrnet_topgen 5.0; what makes it crash or write nothing is refused here.

Whether two process trees are one shape when the order of siblings does not count.

MRNet and its tools keep no order among the children of a process, so a tree that they make is
compared with ours this way. Aho, Hopcroft & Ullman 1974, sec. 3.2: classes of subtrees, level by
level from the deepest.
"""

from __future__ import annotations

import re

import numpy as np

from advisor.models.process_tree import MOST_PROCESSES, Tree
from machines.arrays import Ints
from machines.errors import InputError

LONGEST = 4000  # characters of a specification that still fits a command line well

_FORMS = "Forms: b:4^3, b:2x4x8, k:2@16, g:3:2,0,5"
_KIND = re.compile(r"\s*[bkg]:")
_ENTRY = re.compile(r"(?:([0-9]{1,9})x)?([0-9]{1,9})")
_GENERIC = re.compile(r"(?:[0-9]{1,9}x)?[0-9]{1,9}(?:[:,](?:[0-9]{1,9}x)?[0-9]{1,9})*+")
_POWER = re.compile(r"([0-9]{1,9})\^([0-9]{1,9})")
_FANOUTS = re.compile(r"[0-9]{1,9}(?:x[0-9]{1,9})*+")
_KNOMIAL = re.compile(r"([0-9]{1,9})@([0-9]{1,9})")


def spec_text(tree: Tree) -> str:
    """The ``g:`` text of any tree; `parse_spec` gives the same tree again."""
    fanouts, levels = tree.fanouts, tree.levels
    begins = np.zeros(tree.size, dtype=bool)
    begins[levels[:-1]] = True
    changes = begins.copy()
    changes[1:] |= fanouts[1:] != fanouts[:-1]
    starts = np.flatnonzero(changes)
    counts = np.diff(np.append(starts, tree.size))
    values, first = fanouts[starts], begins[starts]
    last = np.append(first[1:], True)
    kept = (values > 0) | ~last  # who is left out at the end of a level has no children
    runs = zip(first[kept].tolist(), counts[kept].tolist(), values[kept].tolist(), strict=True)
    return "g" + "".join(
        f"{':' if first else ','}{value if count == 1 else f'{count}x{value}'}"
        for first, count, value in runs
    )


def topgen_spec(tree: Tree) -> str | None:
    """The shortest kind of specification with which mrnet_topgen makes this tree.

    The order of siblings does not count, as MRNet keeps none.

    Returns: ``b:`` where each level has one fan-out, else ``k:`` where the tree is a k-nomial
    without back-ends of its own, else ``g:``; None if that takes more than `LONGEST` characters.
    """
    general = spec_text(tree)
    fanouts = _uniform(tree)
    if fanouts:
        one = len(set(fanouts)) == 1
        return f"b:{fanouts[0]}^{len(fanouts)}" if one else "b:" + "x".join(map(str, fanouts))
    for k in _knomial_candidates(tree):
        if same_shape(tree, _doubling(tree.size, k)):
            return f"k:{k}@{tree.size}"
    return general if len(general) <= LONGEST else None


def is_spec(text: str) -> bool:
    """Whether a text means to be a specification: it begins with ``b:``, ``k:`` or ``g:``."""
    return _KIND.match(text) is not None


def parse_spec(text: str, where: str = "specification") -> Tree:
    """The tree of a specification."""
    kind, _, body = text.strip().partition(":")
    readers = {"b": _balanced, "k": _knomial, "g": _generic}
    if kind not in readers or not body:
        raise InputError(
            "this is no specification of a tree", where=where, value=text[:40], remedy=_FORMS
        )
    return readers[kind](body, where)


def _balanced(body: str, where: str) -> Tree:
    power = _POWER.fullmatch(body)
    if power is not None:
        fanout, depth = int(power[1]), int(power[2])
        if fanout == 1 and depth >= MOST_PROCESSES:
            raise _too_many(where)
        levels = [fanout] * min(depth, MOST_PROCESSES if fanout == 1 else 64)
    elif _FANOUTS.fullmatch(body):
        levels = [int(part) for part in body.split("x")]
    else:
        raise InputError(
            "this is no balanced tree", where=where, value=f"b:{body[:40]}", remedy=_FORMS
        )
    if not levels:
        raise InputError(
            "a depth of 0: mrnet_topgen crashes",
            where=where, value=f"b:{body}", remedy="Allowed: depths from 1",
        )  # fmt: skip
    if 0 in levels:
        raise InputError(
            "a fan-out of 0: mrnet_topgen writes an empty file",
            where=f"{where}, level {levels.index(0) + 1}",
            value=f"b:{body[:40]}",
            remedy="Allowed: fan-outs from 1",
        )
    size, total = 1, 1
    for fanout in levels:
        size *= fanout
        total += size
        if total > MOST_PROCESSES:
            raise _too_many(where)
    wide = np.cumprod([1, *levels[:-1]])
    return Tree(np.append(np.repeat(levels, wide), np.zeros(size, dtype=np.int64)))


def _knomial(body: str, where: str) -> Tree:
    found = _KNOMIAL.fullmatch(body)
    if found is None or int(found[1]) < 2 or int(found[2]) < 2:
        raise InputError(
            "this is no k-nomial tree", where=where, value=f"k:{body[:40]}",
            remedy="Write k:K@N, N processes in all; K and N from 2",
        )  # fmt: skip
    if int(found[2]) > MOST_PROCESSES:
        raise _too_many(where)
    return _doubling(int(found[2]), int(found[1]))


def _doubling(processes: int, k: int) -> Tree:
    """Round after round each process that is there takes the next k − 1 as its children."""
    parents = np.full(processes, -1)
    there = 1
    while there < processes:
        new = np.arange(there, min(there * k, processes))
        parents[new] = (new - there) // (k - 1)
        there *= k
    return Tree.of(parents)[0]


def _generic(body: str, where: str) -> Tree:
    if not _GENERIC.fullmatch(body):
        raise _bad_entry(body, where)
    levels = body.split(":")
    entries = np.array([level.count(",") + 1 for level in levels])
    counts, values = _entries(body)
    if (entries[0], counts[0]) != (1, 1):
        raise InputError(
            "the front-end is one process", where=f"{where}, level 1", value=f"g:{levels[0][:40]}",
            remedy="Begin with its number of children: g:3:2,0,5",
        )  # fmt: skip
    starts = np.cumsum(entries) - entries
    if float(counts.sum()) + counts.astype(float) @ values > MOST_PROCESSES:
        raise _too_many(where)
    children = np.add.reduceat(counts * values, starts)
    said, there = np.add.reduceat(counts, starts), np.append(1, children[:-1])
    wrong = np.flatnonzero(said > there)
    if wrong.size:
        level = int(wrong[0])
        raise InputError(
            f"{said[level]} entries for {there[level]} processes: mrnet_topgen crashes",
            where=f"{where}, level {level + 1}",
            value=levels[level][:40],
            remedy="At most one entry for each process of the level above",
        )
    ends = np.cumsum(entries)
    counts = np.insert(counts, ends, there - said)  # who is left out has no children
    values = np.insert(values, ends, 0)
    return _whole_tree(np.repeat(values, counts), int(children[-1]), where)


def _whole_tree(fanouts: Ints, back_ends: int, where: str) -> Tree:
    if fanouts[0] == 0:
        raise InputError(
            "the front-end has no children", where=f"{where}, level 1", value="g:0", remedy=_FORMS
        )
    return Tree(np.append(fanouts, np.zeros(back_ends, dtype=np.int64)))


def _entries(body: str) -> tuple[Ints, Ints]:
    """(how many processes, with how many children each) of all entries, level after level."""
    counts, values = [], []
    for entry in body.replace(":", ",").split(","):
        many, times, value = entry.partition("x")
        counts.append(int(many) if times else 1)
        values.append(int(value if times else many))
    return np.array(counts), np.array(values)


def _bad_entry(body: str, where: str) -> InputError:
    for level, text in enumerate(body.split(":"), 1):
        for place, entry in enumerate(text.split(","), 1):
            if not _ENTRY.fullmatch(entry):
                return InputError(
                    "this is no number of children",
                    where=f"{where}, level {level}, entry {place}",
                    value=entry[:40],
                    remedy="Write N, or MxN for M processes with N children each",
                )
    raise AssertionError(body)  # the whole is its entries


def _too_many(where: str) -> InputError:
    return InputError(
        "the tree has too many processes", where=where, remedy=f"Allowed: up to {MOST_PROCESSES}"
    )


def _uniform(tree: Tree) -> list[int]:
    """The one fan-out of each level; empty if a level has several."""
    starts = tree.levels[:-2]
    low = np.minimum.reduceat(tree.fanouts, tree.levels[:-1])[: starts.size]
    high = np.maximum.reduceat(tree.fanouts, tree.levels[:-1])[: starts.size]
    return low.tolist() if np.array_equal(low, high) else []


def _knomial_candidates(tree: Tree) -> list[int]:
    """The k with which N processes could give the front-end this fan-out at this depth.

    After r rounds the front-end has r (k − 1) children, or k^(r − 1) and a few more are all.
    """
    fanout, found = int(tree.fanouts[0]), set()
    for rounds in (tree.depth, tree.depth + 1):
        found.add(fanout // rounds + 1)
        if rounds > 1:
            found.add(round(tree.size ** (1 / (rounds - 1))))
            found.add(round(tree.size ** (1 / (rounds - 1))) - 1)
    return sorted(k for k in found if k >= 2 and k < tree.size)


def same_shape(one: Tree, other: Tree) -> bool:
    """Whether the trees are equal but for the order of siblings."""
    if one.is_like(other):
        return True
    if not np.array_equal(one.levels, other.levels):
        return False
    for level in range(one.levels.size - 1):  # most differences show here already
        start, end = one.levels[level : level + 2]
        if not np.array_equal(np.sort(one.fanouts[start:end]), np.sort(other.fanouts[start:end])):
            return False
    classes: dict[bytes, int] = {}
    return _root_class(one, classes) == _root_class(other, classes)


def _root_class(tree: Tree, classes: dict[bytes, int]) -> int:
    """The class of the whole tree: equal for equal shapes within one dict of classes."""
    below: Ints = np.zeros(0, dtype=np.int64)
    for level in range(tree.levels.size - 2, -1, -1):
        start, end = tree.levels[level : level + 2]
        fanouts = tree.fanouts[start:end]
        parents = np.repeat(np.arange(fanouts.size), fanouts)
        ordered = below[np.lexsort((below, parents))]  # siblings by class
        ends = np.cumsum(fanouts).tolist()
        found, first = [], 0
        for last in ends:
            found.append(classes.setdefault(ordered[first:last].tobytes(), len(classes)))
            first = last
        below = np.array(found, dtype=np.int64)
    return int(below[0])
