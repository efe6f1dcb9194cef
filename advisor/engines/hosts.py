"""Machines as hosts: where a format wants a host's name, and a machine's name may be anything."""

from __future__ import annotations

import re

from advisor.engines.jobs import Jobs

_LABEL = r"(?!-)[0-9A-Za-z_-]{1,63}(?<!-)"
_HOST = re.compile(rf"{_LABEL}(\.{_LABEL})*")


def is_host(name: str) -> bool:
    """Whether a name is one that a host may have."""
    return _HOST.fullmatch(name) is not None


def hosts_of(jobs: Jobs) -> dict[str, str]:
    """By machine: its name where that is a host's, else one like it, for the user to put right."""
    found = {name: name for name, _, _ in jobs.machines if is_host(name)}
    for name, slug, _ in jobs.machines:
        if name not in found:
            found[name] = slug if slug not in found.values() else f"{slug}_other"
    return found


def said_of_hosts(jobs: Jobs) -> tuple[str, ...]:
    """A sentence where names of hosts are made up."""
    hosts = hosts_of(jobs)
    other = [name for name in hosts if hosts[name] != name]
    if not other:
        return ()
    return (f'No host is called "{other[0]}": the file says {hosts[other[0]]} instead',)


def said_of_ssh(jobs: Jobs) -> tuple[str, ...]:
    """A sentence where ssh can't be told the names of machines."""
    odd = [name for name, _, _ in jobs.machines if not is_host(name)]
    if not odd:
        return ()
    return (f"No host is called “{odd[0]}”: write its host into the file, or run it with LOCAL=1",)
