"""How far a campaign is, in words: what is there, what is missing, how fast it goes."""

from __future__ import annotations

from advisor.basics.quantities import count, duration
from gui.document.campaigns import CampaignState

FAILED_SIGN = "✕"
_SLOW_HZ, _FAST_HZ = 1.0, 10.0


def told(state: CampaignState) -> str:
    """How far it is, in a sentence or two."""
    total, done = state.campaign.total, state.done
    cases = count(total, "case")
    if state.stopping:
        return f"Stopping; {done:,} of {cases} are kept …"
    if state.going:
        return f"{done:,} of {cases}{_failed(state)}" if state.progress else "Starting …"
    if not done:
        return f"{cases} to compute."
    if done < total:
        cancelled = "Cancelled. " if state.cancelled else ""
        left = f"{total - done:,} to compute"
        return f"{cancelled}{done:,} of {cases} are done{_failed(state)}, {left}."
    return f"All {cases} are done{_failed(state)}."


def pace(state: CampaignState) -> str:
    """How fast it goes, and how long that takes; empty: nothing goes, or nobody knows."""
    progress = state.progress
    if not state.going or state.stopping or progress is None or progress.left_s is None:
        return ""
    left = "about to end" if progress.left_s < 1.0 else f"about {duration(progress.left_s)} left"
    return f"{rate(progress.rate_hz)}, {left}"


def in_short(state: CampaignState) -> str:
    """How far it is, in a few words."""
    if state.stopping or state.progress is None:
        return "ending …" if state.stopping else "starting …"
    left = pace(state).partition(", ")[2]
    done = f"{state.done:,} of {state.campaign.total:,}"
    return f"{done}, {left.removeprefix('about ')}" if left else done


def rate(rate_hz: float) -> str:
    """Cases a second, or a minute or an hour where they take longer."""
    if rate_hz >= _FAST_HZ:
        return f"{rate_hz:,.0f} cases a second"
    if rate_hz >= _SLOW_HZ:
        return f"{rate_hz:.1f} cases a second"
    per_minute = 60.0 * rate_hz
    if per_minute >= 1.0:
        return f"{per_minute:.1f} cases a minute"
    return f"{60.0 * per_minute:.1f} cases an hour"


def _failed(state: CampaignState) -> str:
    if state.progress is not None:
        failed = state.progress.failed
    else:
        failed = int((~state.campaign.results.answered).sum())
    return f", {FAILED_SIGN} {failed:,} failed" if failed else ""
