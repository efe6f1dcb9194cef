"""Searching for the best plan: one strategy a file, `portfolio` chooses among them."""

from advisor.search.portfolio import STRATEGIES, Strategy, advise

__all__ = ["STRATEGIES", "Strategy", "advise"]
