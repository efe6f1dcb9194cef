"""What strategies are called where people read of them; files and JSON reports keep names."""

from __future__ import annotations

from advisor.search.portfolio import STRATEGIES, strategy_named
from advisor.search.strategy import Role

# of plans that a search began with, or changed beside its strategies
_ORIGINS = {"start": "the plan before the search", "moves": "single moves", "trees": "other trees",
            "variants": "annealing of variants", "robust": "annealing over draws"}  # fmt: skip


def title_of(strategy: str) -> str:
    """Its title; the name itself of what nobody knows any more."""
    known = strategy_named(strategy)
    return _ORIGINS.get(strategy, strategy) if known is None else known.title


def role_of(strategy: str) -> Role | None:
    """What a strategy of this name or title does; None: nobody knows it any more."""
    found = (one.role for name, one in STRATEGIES.items() if strategy in {name, one.title})
    return next(found, None)
