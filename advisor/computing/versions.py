"""What answers depend on beside their question: versions, and a digest of our own sources.

Two computers with the same answer the same question with the same bytes, processors of one kind
presumed.
"""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from importlib import metadata
from pathlib import Path

_ROOT = Path(__file__).parents[2]
_PACKAGES = ("numpy", "numba")


@cache
def versions() -> tuple[tuple[str, str], ...]:
    """What is here: name → version, of Placewise with a digest of its sources."""
    return (
        ("Placewise", f"{version('placewise')} ({digest()})"),
        ("Python", "{}.{}".format(*sys.version_info)),
        *((name, version(name)) for name in _PACKAGES),
    )


def version(package: str) -> str:
    """The version of a package that is installed here."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


@cache
def digest(root: Path = _ROOT) -> str:
    """A name for the sources that compute, by their names and content."""
    made = hashlib.sha256()
    for package in ("machines", "advisor"):
        for path in sorted((root / package).rglob("*.py")):
            made.update(path.relative_to(root).as_posix().encode() + b"\0")
            made.update(path.read_bytes() + b"\0")
    return made.hexdigest()[:8]


def differences(
    ours: tuple[tuple[str, str], ...], theirs: tuple[tuple[str, str], ...] | None
) -> tuple[str, ...]:
    """What is another there, in words; `theirs` is ``None`` where Placewise is missing.

    Returns: "numba 0.61.0 instead of 0.62.1"; empty: the same.
    """
    if theirs is None:
        return ("no Placewise",)
    there = dict(theirs)
    return tuple(
        f"{name} {there.get(name, 'not installed')} instead of {version}"
        for name, version in ours
        if there.get(name) != version
    )
