"""The parameters of the study."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.studies.parameters import parameter


@dataclass(frozen=True)
class DiceParameters:
    """What the study asks for."""

    sides: int = parameter(6, low=2, high=100, help="Of the die.")
    sure: float = parameter(
        50.0, unit="%", low=1.0, high=99.0, help="How sure a six shall be.", title="certainty"
    )
    file: str = parameter("", path=True, help="Throws that were noted, one a line; empty: none.")
