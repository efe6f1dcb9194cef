"""What crosses a link, a switch or a store, and when: rows of a prediction's transfers."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from advisor.allocation.prediction import Transfers
from advisor.allocation.problem import Problem
from machines.arrays import Ints


def crossing_links(problem: Problem, moved: Transfers, links: Collection[int]) -> Ints:
    """Rows of the transfers whose route takes one of these links, as they set out.

    Parameters
    ----------
    problem : Problem
        Whose platform's links are meant, by position.
    moved : Transfers
        Of a prediction of it.
    """
    table = problem.costs.between.table
    takes = np.isin(table.codes // 2, list(links))
    before = np.concatenate([[0], np.cumsum(takes)])
    crosses = before[table.begin[1:]] > before[table.begin[:-1]]
    route = moved.source.astype(np.int64) * table.hosts + moved.target
    flowed = moved.arrived_s > moved.left_s
    return np.flatnonzero(crosses[route] & flowed)


def links_of(problem: Problem, name: str) -> tuple[int, ...]:
    """Positions of the links that end at a machine, switch or store."""
    links = problem.platform.links
    return tuple(place for place, link in enumerate(links) if name in link.ends)
