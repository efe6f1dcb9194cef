"""What change of load would make another plan the best: how far the answer can be trusted."""

from __future__ import annotations

from advisor.basics.quantities import count
from advisor.export.report_page.page_blocks import MUTED, Block, Listing, Section, Text
from advisor.export.report_page.subject import Reported

_MOST = 12


def _blocks(reported: Reported) -> tuple[Block, ...]:
    explanation = reported.explanation
    if not explanation.flips_searched and not explanation.flips:
        return ()
    shown = [flip.sentence for flip in explanation.flips[:_MOST]]
    left_out = len(explanation.flips) - len(shown)
    if left_out:
        shown.append(f"… and {count(left_out, 'more', 'more')} farther away.")
    return (Listing.of(*shown), Text(explanation.flips_searched, MUTED))


SECTION = Section("flips", "What would change the answer", _blocks)
