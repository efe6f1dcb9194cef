"""The workers of a cluster: what is sent to them as it is, and whether they are like us.

A scheduler has nothing but Dask, and of workers nothing is known before they were asked: so what
they run first is sent whole, and only once their Python is known to be ours.
"""

from __future__ import annotations

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
    """The workers by address, all of which compute as we do.

    Raises
    ------
    InputError
        They do not; what to do.
    """
    ours = dict(versions())["Python"]
    said = client.get_versions()
    python: dict[str, Versions | None] = {
        address: (("Python", _python(one)),)
        for address, one in [*said["workers"].items(), ("the scheduler", said["scheduler"])]
        if _python(one) != ours
    }
    if python:  # code of another Python may not even be readable
        raise refusal(python, (("Python", ours),))
    there = {
        address: one if isinstance(one, Described) else None  # or its exception
        for address, one in client.run(described_there, on_error="return").items()
    }
    unlike = {
        address: one.versions if one is not None else None
        for address, one in there.items()
        if one is None or one.versions != versions()
    }
    if unlike:
        raise refusal(unlike)
    return {address: one for address, one in there.items() if one is not None}


def refusal(unlike: dict[str, Versions | None], ours: Versions | None = None) -> InputError:
    """Workers compute with something else: which, with what, and what to do."""
    there = sorted(unlike)
    what = differences(ours or versions(), unlike[there[0]])
    return InputError(
        f"{count(len(there), 'worker')} would compute with something else than this Placewise: "
        + few(there, _SHOWN)
        + f" ({', '.join(what)})",
        remedy=_remedy(what),
    )


def _remedy(what: tuple[str, ...]) -> str:
    named = {one.split(" ", 1)[0] for one in what}
    if "Python" in named:
        return f"Start workers and scheduler with Python {dict(versions())['Python']}, as here"
    wanted = [f"placewise=={version('placewise')}"]
    wanted += [f"{name}=={version(name)}" for name in ("numpy", "numba")]
    return (
        f"Where they run: pip install {' '.join(wanted)}, of the same sources where those were "
        "changed, and start them again"
    )


def _python(one: dict[str, Any] | None) -> str:
    said = str((one or {}).get("packages", {}).get("python", "unknown"))
    return ".".join(said.split(".")[:2])
