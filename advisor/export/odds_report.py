"""How sure an answer is, as JSON objects."""

from __future__ import annotations

from advisor.advice.how_sure import Odds
from advisor.odds import Band, Duel

_SOURCES = 12


def odds_report(odds: Odds | None) -> dict[str, object]:
    """What to expect of the makespan where numbers are not known exactly; nothing if all are."""
    if odds is None:
        return {}
    return {
        **band_report(odds.band),
        "rests_on": odds.rests_on,
        **_dispatch(odds),
        "matters": [
            {"source": one.source, "name": one.subject, "share": one.share}
            for one in odds.matters.shares[:_SOURCES]
        ],
    }


def band_report(found: Band) -> dict[str, object]:
    """A band and its error."""
    return {
        "expected_s": found.expected_s,
        "p10_s": found.p10_s,
        "p50_s": found.p50_s,
        "p90_s": found.p90_s,
        "draws": found.draws,
        "standard_error_s": found.error_s,
    }


def _dispatch(odds: Odds) -> dict[str, object]:
    """Mean makespans of the ways to run the plan, and the best of them."""
    found = odds.dispatch
    if found is None:
        return {}
    return {
        "dispatch": {
            "best": found.best,
            "usual_s": found.usual_s,
            "straggling_s": found.straggling_s,
            "whole_s": found.whole_s,
            "lost_s": found.lost_s,
            "draws": found.draws,
        }
    }


def duel_report(found: Duel) -> dict[str, object]:
    """How often a plan ends before the advised one, and what it regrets in the mean."""
    return {"odds_better": found.odds, "expected_regret_s": found.regret_s}
