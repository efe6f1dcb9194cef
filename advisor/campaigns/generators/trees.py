"""Trees of tasks: complete but for the last level, which is filled from its first task on.

Out-trees divide work, in-trees collect results; task i > 1 hangs on task ⌊(i − 2)/k⌋ + 1, k the
branching. SAGA's readers know both (in_trees, out_trees); times and volumes here are drawn as in
`layered`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from advisor.campaigns.generators.family import Shape, drawn, family
from advisor.campaigns.generators.generator_settings import Settings, tasks_parameter
from machines.parameters import parameter


@dataclass(frozen=True)
class Tree(Settings):
    """Settings of trees."""

    tasks: int = tasks_parameter()
    branching: int = parameter(
        2, low=2, high=1000, title="Branching", help="k: tasks that hang on a task, at most"
    )


@dataclass(frozen=True)
class OutTree(Tree):
    """Settings of out-trees."""

    FAMILY: ClassVar[str] = "out-tree"


@dataclass(frozen=True)
class InTree(Tree):
    """Settings of in-trees."""

    FAMILY: ClassVar[str] = "in-tree"


def out_tree(settings: Tree, rng: np.random.Generator) -> Shape:
    """From the root to the leaves; kinds are the depths."""
    found, k = Shape(), settings.branching
    depth, last = 0, 0  # the last task, from 0, of that depth
    for place, work in enumerate(drawn(rng, settings.tasks)):
        if place > last:
            depth, last = depth + 1, k * (last + 1)
        found.task(f"depth {depth}", f"t{place + 1}", work)
    for place, volume in enumerate(drawn(rng, settings.tasks - 1), 1):
        found.flow((place - 1) // k, place, volume)
    return found


def in_tree(settings: Tree, rng: np.random.Generator) -> Shape:
    """From the leaves to the root, which is t1."""
    found = out_tree(settings, rng)
    found.sources, found.targets = found.targets, found.sources
    return found


_SAGA = "as in SAGA (J. Coleman and B. Krishnamachari, 2024)"

OUT_TREE = family(OutTree, "Out-trees", "One task feeds k, each of these k more", out_tree, _SAGA)
IN_TREE = family(InTree, "In-trees", "k tasks feed one, and k of these one more", in_tree, _SAGA)
