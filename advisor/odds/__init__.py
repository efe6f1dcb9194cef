"""How sure an answer is: what a plan takes where numbers are not known exactly.

Spreads of a platform and a workload → draws → makespans of plans → a band, odds between plans,
plans that are good in most draws, and which number matters.
"""

from advisor.odds.bands import Band, band
from advisor.odds.drawn_plan import drawn_makespans
from advisor.odds.draws import Draws, draws_of
from advisor.odds.duels import Duel, duel

__all__ = ["Band", "Draws", "Duel", "band", "drawn_makespans", "draws_of", "duel"]
