"""Whether the parts of a platform are joined soundly: one name each, links between known ends.

What is refused names the place and what to do; a platform without switches and stores may leave
machines without a link: they hold their data to themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from machines.checks import repeated
from machines.errors import InputError


class _Named(Protocol):
    @property
    def name(self) -> str: ...


class _Linked(_Named, Protocol):
    @property
    def first(self) -> str: ...
    @property
    def second(self) -> str: ...
    @property
    def ends(self) -> frozenset[str]: ...
    @property
    def delay_comp(self) -> tuple[float, ...]: ...
    @property
    def delay_comm(self) -> tuple[float, ...]: ...


class _Joined(Protocol):
    """What a platform is made of."""

    @property
    def machines(self) -> Sequence[_Named]: ...
    @property
    def stores(self) -> Sequence[_Named]: ...
    @property
    def switches(self) -> Sequence[_Named]: ...
    @property
    def links(self) -> Sequence[_Linked]: ...


def check_joined(platform: _Joined) -> None:
    """Refuse names that occur twice, links that lead nowhere and parts that none reaches.

    Raises
    ------
    InputError
        Naming the part, and what to do.
    """
    kinds = _kinds(platform)
    degree = dict.fromkeys(kinds, 0)
    seen: set[frozenset[str]] = set()
    for link in platform.links:
        _check_link(link, kinds, seen)
        seen.add(link.ends)
        degree[link.first] += 1
        degree[link.second] += 1
    for name, kind in kinds.items():
        _check_degree(name, kind, degree[name], bool(platform.switches))


def _kinds(platform: _Joined) -> dict[str, str]:
    """Name → what it names; no name twice."""
    found: dict[str, str] = {}
    parts = {"machine": platform.machines, "store": platform.stores, "switch": platform.switches}
    for kind, named in parts.items():
        for each in named:
            other = found.setdefault(each.name, kind)
            if other != kind:
                raise InputError(
                    f"a {other} and a {kind} have one name",
                    where=kind,
                    value=each.name,
                    remedy="Names are unique among machines, stores and switches",
                )
        twice = repeated(each.name for each in named)
        if twice is not None:
            plural = "switches" if kind == "switch" else f"{kind}s"
            raise InputError(f"two {plural} have one name", where=kind, value=twice)
    return found


def _check_link(link: _Linked, kinds: dict[str, str], seen: set[frozenset[str]]) -> None:
    where = f"link {link.name}"
    for end in (link.first, link.second):
        if end not in kinds:
            what = "unknown machine" + (
                ", store or switch" if set(kinds.values()) != {"machine"} else ""
            )
            raise InputError(what, where=where, value=end, remedy=_known(kinds))
    if link.ends in seen:
        raise InputError(
            "this pair is linked twice",
            where=where,
            remedy="Keep one link, or put a switch into each way",
        )
    if link.delay_comp or link.delay_comm:
        _refuse_tables(link, where, kinds)


def _refuse_tables(link: _Linked, where: str, kinds: dict[str, str]) -> None:
    """Delays were measured between two machines; elsewhere nothing says whose contenders count."""
    other = [end for end in (link.first, link.second) if kinds[end] != "machine"]
    if other:
        table = "delay_comp" if link.delay_comp else "delay_comm"
        raise InputError(
            f"{table} holds between two machines only",
            where=where,
            value=other[0],
            remedy=f"Leave {table} out; state a slowdown of the link instead",
        )


def _known(kinds: dict[str, str]) -> str:
    """The names that a link may join, by kind."""
    lists = []
    for kind, plural in (("machine", "Machines"), ("store", "stores"), ("switch", "switches")):
        named = [name for name, its in kinds.items() if its == kind]
        if named:
            lists.append(f"{plural}: " + ", ".join(named[:20]) + (", …" if len(named) > 20 else ""))
    return "; ".join(lists)


def _check_degree(name: str, kind: str, links: int, switched: bool) -> None:
    where = f'{kind} "{name}"'
    if kind == "switch" and links < 2:
        raise InputError(
            "this switch leads nowhere: a switch joins at least two links",
            where=where,
            value=links,
            remedy="Link it to what it joins, or leave it out",
        )
    if kind == "store" and not links:
        raise InputError(
            "no link reaches this store",
            where=where,
            remedy="Link it to a machine or a switch, or leave it out",
        )
    if kind == "machine" and switched and not links:
        raise InputError(
            "no link reaches this machine",
            where=where,
            remedy="Link it to a switch or a machine, or leave it out",
        )
