"""A made-up catalogue: cables. `LISTING` is its line in `CATALOGUES` of `placewise catalogue`."""

from __future__ import annotations

import tomllib
from pathlib import Path

from advisor.commands.catalogue import Listing
from machines.catalogue.shelf import Catalogue


def read_cable(path: Path) -> float:
    """Metres of a cable."""
    return float(tomllib.loads(path.read_text(encoding="utf-8"))["metres"])


CABLES = Catalogue(str(Path(__file__).parent / "cables"), read_cable, "cable")
LISTING = Listing(
    CABLES,
    ("cable", "length"),
    lambda _, metres: (f"{metres} m",),
    lambda name, metres: f"{name}: {metres} m",
)
