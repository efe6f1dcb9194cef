"""Where the channels of a network are drawn: every channel as straight lines between its nodes.

Traffic keeps right, so that the two directions of a pair lie beside each other. Channels that
would cross others (around a torus, along its third dimension) are short stubs at both nodes; the
long ones of a hypercube are arcs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from machines.arrays import Flags, Floats, Ints
from machines.interconnect import switched
from machines.multicore import cores_of
from machines.network import Network

HALF_NODE = 0.25
LANE = 0.07
BARB = 0.08
_STUB = 0.24
_MOST_PIECES = 12_000  # of all arcs together; where there are many, each is small
_ANGLES = (-45.0, 45.0, -22.5, 67.5, -67.5, 22.5)  # of the dimensions after the second


@dataclass(frozen=True, eq=False)
class Geometry:
    """What there is to draw, in units of the distance between neighbours; y runs down.

    `lines`, `line_channels`: shape (n, 4); start and end of every line, and whose it is.
    `barbs`, `barb_channels`: shape (m, 4); half arrow heads where channels arrive.
    `middles`, `sides`: shape (channels, 2); where a number goes and to which side; NaN where there
        is no room for one.
    """

    nodes: Floats  # shape (P, 2); centres of the nodes, squares of 2 · `HALF_NODE`
    ends: Ints  # shape (channels, 2); from and to which node, in the order of `network.channels`
    lines: Floats
    line_channels: Ints
    barbs: Floats
    barb_channels: Ints
    middles: Floats
    sides: Floats

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of everything."""
        low, high = self.nodes.min(axis=0), self.nodes.max(axis=0)
        edge = HALF_NODE
        if len(self.lines):
            points = self.lines.reshape(-1, 2)
            low, high = (
                np.minimum(low - edge, points.min(axis=0)),
                np.maximum(high + edge, points.max(axis=0)),
            )
        else:
            low, high = low - edge, high + edge
        return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def undrawn(network: Network) -> str:
    """What a picture without channels says in place of their colours; empty where it has them."""
    if switched(network):
        return "A row shares a switch. Loads of channels: Picture, CSV."
    if cores_of(network) > 1:
        return "Cores of a node lie together. Loads of channels: Picture, CSV."
    return ""


def geometry_of(network: Network, positions: Floats) -> Geometry:
    """The lines of all channels of a network whose nodes are at `positions`.

    There are none between switches and between nodes of several cores.
    """
    ends = np.array(network.channels, dtype=np.int64).reshape(-1, 2)
    if undrawn(network):
        none, whose = np.zeros((0, 4)), np.zeros(0, np.int64)
        middles, sides = np.full((2, len(ends), 2), np.nan)
        return Geometry(positions, ends, none, whose, none, whose, middles, sides)
    way = positions[ends[:, 1]] - positions[ends[:, 0]]
    length = np.maximum(np.hypot(*way.T), 1e-9)[:, None]
    if network.kind == "crossbar":
        straight = np.ones(len(ends), dtype=bool)
        towards, stubs = way / length, np.zeros_like(straight)
    else:
        axis, step, near = _steps(network, ends)
        straight = near & (axis < 2)
        towards = _directions(axis) * step[:, None]
        stubs = ~straight & (network.kind != "hypercube")
    pieces = [
        _straight(positions, ends, towards, np.flatnonzero(straight)),
        _stubs(positions, ends, towards, np.flatnonzero(stubs)),
        _arcs(positions, ends, np.flatnonzero(~straight & ~stubs)),
    ]
    lines, channels, last = (np.concatenate(each) for each in zip(*pieces, strict=True))
    middles, sides = np.full((2, len(ends), 2), np.nan)
    if network.kind != "crossbar" and (straight | stubs).all():  # arcs would cross the numbers
        middles[straight] = (positions[ends[:, 0]] + way / 2)[straight]
        sides[straight] = _right(towards)[straight]
    return Geometry(
        positions, ends, lines, channels, _barbs(lines[last]), channels[last], middles, sides
    )


def distances(lines: Floats, point: Floats) -> Floats:
    """How far each line is from a point."""
    start, along = lines[:, :2], lines[:, 2:] - lines[:, :2]
    lengths = np.maximum((along**2).sum(axis=1), 1e-12)
    share = np.clip(((point - start) * along).sum(axis=1) / lengths, 0.0, 1.0)
    return np.asarray(np.hypot(*(start + share[:, None] * along - point).T))


def _steps(network: Network, ends: Ints) -> tuple[Ints, Ints, Flags]:
    """(dimension, +1 or −1, whether it does not go around) of every channel."""
    axis, step = np.zeros(len(ends), np.int64), np.ones(len(ends), np.int64)
    near, stride = np.ones(len(ends), bool), 1
    for dimension, k in enumerate(network.dims):
        difference = ends[:, 1] // stride % k - ends[:, 0] // stride % k
        moves = difference != 0
        around = np.abs(difference) > 1
        axis[moves] = dimension
        step[moves] = np.sign(np.where(around, -difference, difference))[moves]
        near &= ~around
        stride *= k
    return axis, step, near


def _directions(axis: Ints) -> Floats:
    """The direction of each dimension on the picture, (channels, 2)."""
    degrees = np.array([0.0, 90.0, *_ANGLES])[np.where(axis < 2, axis, 2 + (axis - 2) % 6)]
    angle = np.radians(degrees)
    return np.column_stack([np.cos(angle), np.sin(angle)])


def _right(towards: Floats) -> Floats:
    """What is to the right of somebody who goes `towards`, y running down."""
    return np.column_stack([-towards[:, 1], towards[:, 0]])


def _edge(towards: Floats) -> Floats:
    """How far the border of a node is from its centre, (n, 1)."""
    return np.asarray(HALF_NODE / np.abs(towards).max(axis=1, keepdims=True))


def _straight(
    positions: Floats, ends: Ints, towards: Floats, which: Ints
) -> tuple[Floats, Ints, Flags]:
    go = towards[which]
    edge, lane = go * _edge(go), LANE * _right(go)
    lines = np.hstack(
        [positions[ends[which, 0]] + edge + lane, positions[ends[which, 1]] - edge + lane]
    )
    return lines, which, np.ones(len(which), bool)


def _stubs(
    positions: Floats, ends: Ints, towards: Floats, which: Ints
) -> tuple[Floats, Ints, Flags]:
    go = towards[which]
    edge, lane = _edge(go), LANE * _right(go)
    leaving, arriving = positions[ends[which, 0]] + lane, positions[ends[which, 1]] + lane
    out = np.hstack([leaving + go * edge, leaving + go * (edge + _STUB)])
    into = np.hstack([arriving - go * (edge + _STUB), arriving - go * edge])
    return np.vstack([out, into]), np.tile(which, 2), np.ones(2 * len(which), bool)


def _arcs(positions: Floats, ends: Ints, which: Ints) -> tuple[Floats, Ints, Flags]:
    """Arcs that bulge to the right, from border to border, in pieces."""
    start, way = positions[ends[which, 0]], positions[ends[which, 1]] - positions[ends[which, 0]]
    length = np.maximum(np.hypot(*way.T), 1e-9)[:, None]
    bulge = _right(way / length) * np.minimum(0.16 * length, 0.62)
    trim = np.minimum(1.2 * HALF_NODE / length, 0.4)
    pieces = min(max(_MOST_PIECES // max(len(which), 1), 3), 8)
    shares = np.linspace(0.0, 1.0, pieces + 1)
    points = np.stack(
        [
            start + way * t + bulge * 4.0 * t * (1.0 - t)
            for t in (trim + (1.0 - 2.0 * trim) * share for share in shares)
        ],
        axis=1,
    )
    lines = np.concatenate([points[:, :-1], points[:, 1:]], axis=2).reshape(-1, 4)
    last = np.tile(np.arange(pieces) == pieces - 1, len(which))
    return lines, np.repeat(which, pieces), last


def _barbs(lines: Floats) -> Floats:
    """Half arrow heads at the ends of lines, on their right."""
    way = lines[:, 2:] - lines[:, :2]
    go = way / np.maximum(np.hypot(*way.T), 1e-9)[:, None]
    return np.hstack([lines[:, 2:], lines[:, 2:] - BARB * go + 0.7 * BARB * _right(go)])
