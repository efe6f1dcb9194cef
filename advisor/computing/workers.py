"""The workers of a cluster: what is sent to them as it is, and whether they are like us.

A scheduler has nothing but Dask, and of workers nothing is known before they were asked: so what
they run first is sent whole, and only once their Python is known to be ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from distributed import Client

from advisor.basics.quantities import count, few
from advisor.computing.at_worker import Described, Versions
from advisor.computing.versions import differences, version, versions
from machines.errors import InputError

PATIENCE_S = 10.0  # for what a running cluster answers at once
_SHOWN = 5
_NOWHERE = "placewise_sent"  # a module that nobody can import: what is of it is pickled whole


def answer_there(expected: Versions, function: bytes, items: bytes) -> bytes:
    """`at_worker.answered`, where there is a Placewise."""
    from advisor.computing import at_worker  # noqa: PLC0415 - there, not at the scheduler

    return at_worker.answered(expected, function, items)


def keep_there(data: bytes) -> bytes:
    """What is computed once and then copied from worker to worker."""
    return data


def described_there() -> Described | None:
    """`at_worker.described`; None: no Placewise."""
    try:
        from advisor.computing import at_worker  # noqa: PLC0415 - there
    except ImportError:
        return None
    return at_worker.described()


for _sent in (answer_there, keep_there, described_there):
    _sent.__module__ = _NOWHERE


def check(client: Client) -> dict[str, Described]:
    """The workers by address, all of which compute as we do, as the scheduler does."""
    said = client.get_versions()
    if others := _of_other_python(said["workers"] | {"the scheduler": said["scheduler"]}):
        raise refusal(others)
    there, unlike = _described(client, tuple(said["workers"]))
    if unlike:
        raise refusal(unlike)
    return there


def unlike(client: Client) -> dict[str, tuple[str, ...]]:
    """The workers that compute with something else, by address: what that is, in words."""
    there = client.get_versions()["workers"]
    others = _of_other_python(there)
    return others | _described(client, tuple(one for one in there if one not in others))[1]


def _of_other_python(said: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """To these no code is sent: they may not even be able to read it."""
    ours = tuple(one for one in versions() if one[0] == "Python")
    theirs = {address: (("Python", _python(one)),) for address, one in said.items()}
    return {one: what for one in said if (what := differences(ours, theirs[one]))}


def _described(
    client: Client, there: tuple[str, ...]
) -> tuple[dict[str, Described], dict[str, tuple[str, ...]]]:
    """Those that are like us and those that are not."""
    alike, unlike = {}, {}
    said = client.run(described_there, workers=there, on_error="return") if there else {}
    for address, one in said.items():
        if isinstance(one, OSError):  # it has just ended
            continue
        found = one if isinstance(one, Described) else None  # no Placewise, or its exception
        if what := differences(versions(), found.versions if found else None):
            unlike[address] = what
        elif found:
            alike[address] = found
    return alike, unlike


def refusal(unlike: Mapping[str, tuple[str, ...]]) -> InputError:
    """Workers compute with something else: which, with what, and what to do."""
    there, what = sorted(unlike), unlike[min(unlike)]
    return InputError(
        f"{count(len(there), 'worker has', 'workers have')} another version of Placewise or its "
        "packages: " + few(there, _SHOWN) + f" ({', '.join(what)})",
        remedy=_remedy(what),
    )


def left_out(unlike: Mapping[str, tuple[str, ...]]) -> str:
    """The same of workers that came while others compute."""
    there, what = sorted(unlike), unlike[min(unlike)]
    return (
        f"{count(len(there), 'worker')} left out, with another version of Placewise or its "
        f"packages: {few(there, _SHOWN)} ({', '.join(what)}). {_remedy(what)}"
    )


def _remedy(what: tuple[str, ...]) -> str:
    named = {one.split(" ", 1)[0] for one in what}
    if "Python" in named:
        return f"Start workers and scheduler with Python {dict(versions())['Python']}, as here"
    wanted = [f"placewise=={version('placewise')}"]
    wanted += [f"{name}=={version(name)}" for name in ("numpy", "numba")]
    return (
        f"Where they run: pip install {' '.join(wanted)}, or the same sources if you changed "
        "them, and restart them"
    )


def _python(one: dict[str, Any] | None) -> str:
    said = str((one or {}).get("packages", {}).get("python", "unknown"))
    return ".".join(said.split(".")[:2])
