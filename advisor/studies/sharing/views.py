"""Curves and tables of the sharing study."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from advisor.models.sharing import CPU
from advisor.studies.sharing.parameters import SharingCase
from advisor.studies.study import Series, Table

_FORMULA, _QUEUE = "published formula", "1 + mean queue"


@dataclass(frozen=True)
class Slowdowns:
    """Both slowdowns against p and against the share."""

    by_p: tuple[tuple[float, float], ...]
    at: tuple[float, ...]
    by_share: tuple[tuple[float, float], ...]
    complete: bool


def series(case: SharingCase, found: Slowdowns) -> Iterator[Series]:
    """Both slowdowns against p and against the share; how many contenders are there at once."""
    by_p = [float(p) for p in range(1, len(found.by_p) + 1)]
    x_share = "share computing" if case.resource == CPU else "share transferring"
    for way, name in enumerate((_FORMULA, _QUEUE)):
        y = tuple(both[way] for both in found.by_p)
        yield Series(
            name, tuple(by_p), y, "contenders p", "", "slowdown", "",
            beside="slowdown", counts=True,
        )  # fmt: skip
    for way, name in enumerate((_FORMULA, _QUEUE)):
        y = tuple(both[way] for both in found.by_share)
        yield Series(name, found.at, y, x_share, "", "slowdown", "", beside="slowdown")
    present = tuple(float(n) for n in range(len(case.shares) + 1))
    for name, chances in zip((_FORMULA, "queue"), case.present(case.shares), strict=True):
        y = tuple((100.0 * chances).tolist())
        label = f"contenders {case.place}"
        yield Series(name, present, y, label, "", "probability", "%", kind="points", counts=True)


def by_contenders(case: SharingCase, found: Slowdowns) -> Table:
    """Both slowdowns for 1, 2, … contenders, and how often each of these is there."""
    rows = []
    for p, (formula, queue) in enumerate(found.by_p, 1):
        group = case.group(p)
        alone = sum(case.own(pair) for pair in group) / p
        together = float(np.arange(p + 1) @ case.present(group)[1]) / p
        rows.append((p, formula, queue, queue / formula, 100.0 * alone, 100.0 * together))
    columns = (
        ("contenders p", ""), (_FORMULA, ""), (_QUEUE, ""), ("queue/formula", ""),
        ("share of time present, alone", "%"), ("share of time present, in company", "%"),
    )  # fmt: skip
    return Table("Slowdown by contenders", columns, tuple(rows))


def numbers_present(case: SharingCase) -> Table:
    """P(n contenders there) by either way."""
    formula, queue = case.present(case.shares)
    rows = tuple(enumerate(zip(*((100.0 * one).tolist() for one in (formula, queue)), strict=True)))
    columns = ((f"contenders {case.place}", ""), (_FORMULA, "%"), ("queue", "%"))
    return Table("How many are present", columns, tuple((n, *both) for n, both in rows))
