"""The campaigns that ship, by name; each is a file that may be copied and changed."""

from __future__ import annotations

from pathlib import Path

from advisor.campaigns.campaign_file import read_campaign
from machines.catalogue.shelf import Shelf
from machines.errors import InputError
from machines.files import is_there

CAMPAIGNS = Shelf("campaigns", read_campaign, "campaign", titled=lambda one: one.name)


def campaign_path(name: str) -> Path:
    """The file that a user means: one that is there, or a campaign that ships.

    Raises
    ------
    InputError
        There is neither.
    """
    ships = name in CAMPAIGNS.names()
    # a folder of that name holds the results
    if is_there(name) and not (ships and Path(name).is_dir()):
        return Path(name)
    if ships:
        return CAMPAIGNS.path(name)
    raise InputError(
        "no such file, and no shipped campaign of this name",
        value=name,
        remedy="Names: " + ", ".join(CAMPAIGNS.names()),
    )
