"""Whether a file is about a campaign: told by its beginning, and quickly imported."""

from __future__ import annotations

from pathlib import Path

from advisor.basics.content import read_head
from advisor.project.kinds import format_of
from machines.errors import PlacewiseError
from machines.files import is_folder, is_there

RECORD = "campaign.json"  # in a folder of results
_FORMATS = ("placewise-campaign", "placewise-campaign-results")


def is_campaign(path: Path) -> bool:
    """Whether a path is a campaign's file, the folder of its results or what tells of them."""
    if is_folder(path):
        return (path / RECORD).is_file()
    if not is_there(path) or not path.is_file():
        return False
    try:
        return format_of(read_head(path)) in _FORMATS
    except PlacewiseError:
        return False
