"""What a new parameter of a study takes: one field, here of a record of the tests' own.

The field would stand in the study's own record; the form, ``--set`` and what is kept on disk
follow from it.
"""

from __future__ import annotations

from dataclasses import dataclass

from machines.parameters import parameter
from tests.gui.amdahl import Amdahl


@dataclass(frozen=True)
class PatientAmdahl(Amdahl):
    """Amdahl's question, asked by somebody who can wait."""

    patience: float = parameter(
        1.0, low=0.0, high=5.0, above=True, unit="s", help="Patience w: how long one waits."
    )
