"""What messages, filters and processes cost by the settings of the trees study, and who says so."""

from __future__ import annotations

from dataclasses import replace

from advisor.basics.quantities import duration, number
from advisor.models.mrnet import BROADCAST
from advisor.studies.network_settings import PING_PONG
from advisor.studies.network_source import fitted_text, network_of_settings
from advisor.studies.study import ASSUMED, MEASURED, RANGE, STATED, Note
from advisor.studies.trees.parameters import OWN_COSTS, TEXTBOOK, TreesParameters
from advisor.studies.trees.unknown import WORKING, Unknown
from advisor.trees.costs import US, TreeCosts
from advisor.trees.hosts import Hosts
from machines import InputError, LogGP
from machines.formats.pingpong_csv import read_pingpong

_TEXTBOOK = LogGP(L=6.0, o_s=2.0, o_r=2.0, g=4.0)
_PING_PONG = "Culler 1993; Kielmann 2000"
_MS = 1e3  # µs

Found = tuple[LogGP, tuple[Note, ...], Unknown | None]


def costs_of(
    asked: TreesParameters, hosts: Hosts | None = None
) -> tuple[TreeCosts, tuple[Note, ...], Unknown | None]:
    """The costs, where those of messages come from, and what of them is not known.

    Raises
    ------
    InputError
        A ping-pong file that can't be read, or whose startup is less than twice the overhead.
    """
    p, notes, unknown = _message_costs(asked)
    costs = TreeCosts(
        p=p,
        size=asked.size_bytes,
        filter_cost=0.0 if asked.operation == BROADCAST else asked.filter_cost,
        convention=asked.convention,
        create=asked.create * _MS,
        connect=asked.connect * _MS,
        report=asked.report * _MS,
        rate=asked.rate,
        operation=asked.operation,
        hosts=hosts,
        cores=asked.host_cores,
    )
    return costs, notes, unknown


def _message_costs(asked: TreesParameters) -> Found:
    if asked.network == TEXTBOOK:
        note = "Latency L 6, overhead o 2, gap g 4: the example of the LogP paper, read as µs"
        return _TEXTBOOK, (Note(True, note, "Culler 1993", STATED),), None
    if asked.network == OWN_COSTS:
        return _own(asked)
    if asked.network == PING_PONG:
        return _fitted(asked)
    return _of_network(asked)


def _of_network(asked: TreesParameters) -> Found:
    """Those of a network, with one overhead."""
    found = network_of_settings(asked)
    net = found.net
    unit, p = net.unit_s / US, net.long
    mean = (p.o_s + p.o_r) / 2.0
    notes = list(found.notes) or [Note(True, f"Message costs of {net.name}", net.source, STATED)]
    if p.o_s != p.o_r:
        text = (
            f"The model has one overhead o, {number(mean * unit * US, 's')}, the mean of "
            f"o_s and o_r of {net.name}"
        )
        notes.append(Note(False, text, "Roth, Arnold & Miller 2003"))
    own = LogGP(p.L * unit, mean * unit, mean * unit, p.g * unit, p.G * unit)
    return own, tuple(notes), None


def _own(asked: TreesParameters) -> Found:
    """The user's numbers; the textbook's o and g never stand in for them unsaid."""
    o = _TEXTBOOK.o_s if asked.overhead is None else asked.overhead
    g = _TEXTBOOK.g if asked.gap is None else asked.gap
    missing = [
        f"{name} {number(value)} µs"
        for name, value, said in (("overhead o", o, asked.overhead), ("gap g", g, asked.gap))
        if said is None
    ]
    notes: tuple[Note, ...] = ()
    if missing:
        text = f"Not given; from the LogP paper's example: {' and '.join(missing)}"
        notes = (Note(False, text, "Culler 1993", ASSUMED),)
    costs, said, _ = _of_network(replace(asked, overhead=o, gap=g))
    return costs, (*said, *notes), None


def _fitted(asked: TreesParameters) -> Found:
    """2o + L and G from a ping-pong; o and g as they are given, or as the interval they lie in."""
    if not asked.pingpong.strip():
        raise InputError(
            "message costs ping-pong need a file", where="setting pingpong", remedy="Give pingpong="
        )
    measured = read_pingpong(asked.pingpong)
    (alpha_s, beta), threshold = measured.line(asked.size_bytes)
    alpha, o, g = alpha_s / US, asked.overhead, asked.gap
    if alpha <= 0.0 or (o is not None and 2.0 * o > alpha):
        raise InputError(
            f"a message that takes {duration(alpha_s)} can't have two overheads of "
            f"{number(o or 0.0)} µs",
            where="setting overhead",
            value=o,
            remedy=f"Allowed: up to {number(max(alpha, 0.0) / 2.0)} µs",
        )
    fitted = fitted_text(measured, (alpha_s, beta), threshold, asked.size_bytes)
    unknown = Unknown.of(alpha, 1.0 / beta / US, o, g)
    p = unknown.samples()[WORKING]
    if o is not None and g is not None:
        said = (
            "A ping-pong does not show overhead o and gap g: they are your numbers, the latency L "
            "is what o leaves of it"
        )
        doubt = Note(False, said, _PING_PONG, STATED)
        return p, (Note(True, fitted, kind=MEASURED), doubt), None
    text = (
        f"A ping-pong does not show o and g: {unknown.text}. Pictures, curves and tables are drawn "
        f"for o {number(p.o_s)} and g {number(p.g)} µs, within the interval and no more; give "
        "overhead= and gap= from a measurement of o and g"
    )
    doubt = Note(False, text, _PING_PONG, RANGE)
    return p, (Note(True, fitted, kind=MEASURED), doubt), unknown
