"""What a chip beside an option says."""

from __future__ import annotations

import numpy as np
import pytest

from advisor.decisions.prices import Priced
from gui.basics.verdicts import BETTER, ILLEGAL, PENDING, SAME, WORSE
from gui.inspector.price_chips import chip_of


@pytest.mark.parametrize(
    ("value_s", "best", "verdict", "text"),
    [
        (np.nan, False, PENDING, "…"),
        (np.inf, False, ILLEGAL, "not possible"),
        (48.0, False, SAME, "= as now"),
        (48.0, True, SAME, "best, as now"),
        (38.0, False, BETTER, "▼ −10.0 s"),
        (38.0, True, BETTER, "best ▼ −10.0 s"),
        (51.4, False, WORSE, "▲ +3.40 s"),
    ],
)
def test_a_chip_has_a_sign_a_difference_and_says_the_best(
    value_s: float, best: bool, verdict: str, text: str
) -> None:
    option = Priced(None, "one", False, False, value_s, is_best=best)
    chip = chip_of(option, 48.0)
    assert (chip.verdict, chip.text, chip.best) == (verdict, text, best and verdict != PENDING)
