"""Every transfer of the contention-aware schedule, and the load of what transfers share.

Where each transfer is alone there are none: the flows say all.
"""

from __future__ import annotations

import math

import numpy as np

from advisor.allocation.prediction import Transfers
from advisor.allocation.workload import Workload
from advisor.basics.quantities import UNKNOWN, percent, slowdown
from gui.document.document import Document, Outcome, Selection
from gui.panels.outcome_table import OutcomeTable, amounts, critical, ratio, seconds
from gui.tables.table_columns import Column, Texts
from machines.arrays import Flags, Floats, Indices
from machines.sharing import Resource

_FACTOR = "Transfer time over that on an idle network; ×1: no contention"


class TransferTable(OutcomeTable):
    """Item, from, to, when it set out and arrived, bytes, time alone, factor, critical."""

    def __init__(self, document: Document) -> None:
        super().__init__(document, "transfer_table", "Schedule: transfers")

    @staticmethod
    def fixed_columns(workload: Workload) -> list[Column]:
        """All that may move: files, then flows."""
        files = [file.name for file in workload.files]
        names = Texts([*files, *(flow.name for flow in workload.flows)])
        return [Column("item", "The file, or the flow whose data it is", names)]

    def columns_for(self, outcome: Outcome, fixed: list[Column]) -> list[Column]:
        """One row a transfer, in the order in which they set out."""
        moved = outcome.prediction.transfers
        if moved is None:
            return []
        hosts = outcome.project.platform.hosts
        left_s, arrived_s = moved.left_s, moved.arrived_s
        files = len(outcome.project.workload.files)
        items = np.where(moved.file >= 0, moved.file, files + moved.flow)
        return [
            *(Column(one.heading, one.hint, _at(one, items)) for one in fixed),
            Column("from", "Machine or store that it comes from", Texts(hosts, moved.source)),
            Column("to", "Machine that it goes to", Texts(hosts, moved.target)),
            seconds("departs", "Departure", left_s, arrived_s),
            seconds("arrives", "Arrival", arrived_s, left_s),
            amounts("data", "Its bytes", moved.size_bytes, "B"),
            seconds("alone", "Its time on an idle network", moved.dedicated_s),
            Column("× alone", _FACTOR, ratio(arrived_s - left_s, moved.dedicated_s), slowdown),
            critical("On the critical path", _marks(outcome, moved)),
        ]

    def chosen_in(self, outcome: Outcome, selection: Selection) -> frozenset[int]:
        """The transfers that carry the selected flow."""
        moved = outcome.prediction.transfers
        if moved is None or selection.flow is None:
            return frozenset()
        return frozenset(carrying(outcome, moved, selection.flow).tolist())

    def choice(self, outcome: Outcome, rows: tuple[int, ...]) -> Selection:
        """The flow of the first of these; of a file that no task made, who reads it."""
        moved = outcome.prediction.transfers
        if moved is None:
            return Selection()
        flow = edge_of(outcome.project.workload, moved, rows[0])
        if flow is None:
            return Selection(tasks=frozenset((int(moved.reader[rows[0]]),)))
        return Selection(flow=flow)


class ResourceTable(OutcomeTable):
    """Links, switches and stores: what moved, how busy that kept them, what they can carry."""

    def __init__(self, document: Document) -> None:
        super().__init__(document, "resource_table", "Schedule: links, switches, stores")

    @staticmethod
    def fixed_columns(workload: Workload) -> list[Column]:
        """None: they are the platform's."""
        del workload
        return []

    def columns_for(self, outcome: Outcome, fixed: list[Column]) -> list[Column]:
        """One row a resource that transfers share, then one a store."""
        moved, shared = outcome.prediction.transfers, outcome.problem.shared.resources
        if moved is None:
            return []
        uses, platform = outcome.prediction.resources, outcome.project.platform
        stores = [store.name for store in platform.stores]
        first = len(platform.machines)
        ends = [_through(moved, first + place) for place in range(len(stores))]
        nothing = [math.nan] * len(stores)
        busy = np.array([use.busy_share for use in uses] + nothing)
        most = [float(use.load.max(initial=0.0)) for use in uses]
        return [
            *fixed,
            Column("name", "As on the board", Texts([*(use.name for use in uses), *stores])),
            Column(
                "kind",
                "Its kind; each direction of a link counts separately",
                Texts.grouped([*map(_kind, shared), *["store"] * len(stores)]),
            ),
            amounts("moved", "Bytes through it", np.array([*_sizes(outcome), *ends]), "B"),
            Column("busy", "Its mean load until the makespan", busy, _share),
            Column("busiest moment", "The most of it in use", np.array(most + nothing), _share),
            amounts(
                "capacity",
                "Bytes a second that contenders leave; a store's links have them",
                np.array([use.capacity for use in uses] + nothing),
                "B/s",
            ),
        ]

    def chosen_in(self, outcome: Outcome, selection: Selection) -> frozenset[int]:
        """What the selected link, switch, store or machine's network is."""
        shared = outcome.problem.shared.resources
        found = [
            place
            for place, one in enumerate(shared)
            if (one.link is not None and one.link == selection.link)
            or (one.switch is not None and one.switch == selection.switch)
            or (one.machine is not None and one.machine == selection.machine)
        ]
        if selection.store is not None:
            found.append(len(shared) + selection.store)
        return frozenset(found)

    def choice(self, outcome: Outcome, rows: tuple[int, ...]) -> Selection:
        """The link, switch, store or machine of the first of these rows."""
        shared = outcome.problem.shared.resources
        if rows[0] >= len(shared):
            return Selection(store=rows[0] - len(shared))
        one = shared[rows[0]]
        return Selection(machine=one.machine, link=one.link, switch=one.switch)


def edge_of(workload: Workload, moved: Transfers, row: int) -> int | None:
    """The edge whose data a transfer is; None: a file that no task made."""
    if moved.file[row] < 0:
        return int(moved.flow[row])
    writer = int(workload.use.writer[moved.file[row]])
    stated = len(workload.flows)
    pairs = (workload.sources[stated:] == writer) & (workload.targets[stated:] == moved.reader[row])
    found = np.flatnonzero(pairs)
    return stated + int(found[0]) if writer >= 0 and found.size else None


def carrying(outcome: Outcome, moved: Transfers, edge: int) -> Indices:
    """The transfers that bring an edge's data; of a file's copy that others fetched, theirs."""
    workload = outcome.project.workload
    if edge < len(workload.flows):
        return np.flatnonzero(moved.flow == edge).astype(np.int32)
    reader = int(workload.targets[edge])
    place = outcome.prediction.plan.allocation[reader]
    there = np.isin(moved.file, workload.carried(edge)) & (moved.target == place)
    own = there & (moved.reader == reader)
    return np.flatnonzero(own if own.any() else there).astype(np.int32)


def _at(column: Column, items: Indices) -> Texts:
    assert isinstance(column.values, Texts)  # noqa: S101, RUF100 - made by fixed_columns
    return column.values.at(items)


def _marks(outcome: Outcome, moved: Transfers) -> Flags:
    found = outcome.prediction.critical_transfers
    return np.zeros(len(moved.flow), bool) if found is None else found


def _sizes(outcome: Outcome) -> list[float]:
    return [use.size_bytes for use in outcome.prediction.resources]


def _through(moved: Transfers, host: int) -> float:
    """All bytes that came from or went to a host."""
    ends = (moved.source == host) | (moved.target == host)
    found: Floats = moved.size_bytes[ends]
    return float(found.sum())


def _kind(one: Resource) -> str:
    if one.switch is not None:
        return "switch"
    if one.machine is not None:
        return "network of a machine"
    return "link" if one.forward is None else "direction of a link"


def _share(value: float) -> str:
    return UNKNOWN if math.isnan(value) else percent(value)
