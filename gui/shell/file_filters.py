"""The filters of file dialogs, from the kinds of files that open."""

from __future__ import annotations

from advisor.project.kinds import suffixes

_ALL = "All files (*)"
EVERYTHING = "Projects, workloads, platforms, sites, logs"


def filters(what: str, *gives: str) -> str:
    """The filter of a dialog that asks for files that hold one of these; without: of any kind."""
    patterns = " ".join(f"*{suffix}" for suffix in suffixes(*gives))
    return f"{what} ({patterns});;{_ALL}"
