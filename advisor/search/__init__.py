"""Searching for the best plan: one strategy a file, `portfolio` chooses among them."""

from advisor.search.portfolio import STRATEGIES, advise
from advisor.search.strategy import Strategy

__all__ = ["STRATEGIES", "Strategy", "advise"]
