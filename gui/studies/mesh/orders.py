"""The orders beside each other: those that the study compared and the user's own as it is now."""

from __future__ import annotations

from advisor.messages.mapping.orders import Mapping
from advisor.messages.mapping.picture import MappedOrder, MappingPicture
from advisor.studies.mapping.parameters import OWN


def own_of(picture: MappingPicture | None) -> MappedOrder | None:
    """The own mapping that the study was given."""
    orders = () if picture is None else picture.orders
    return next((order for order in orders if order.name == OWN), None)


def mapping_of(order: MappedOrder | None) -> Mapping | None:
    """The mapping of an order that may be missing."""
    return None if order is None else order.mapping


def orders_of(picture: MappingPicture, own: MappedOrder | None) -> tuple[MappedOrder, ...]:
    """All orders, the own one as it is now; left out where it is for other processes or nodes."""
    given = tuple(order for order in picture.orders if order.name != OWN)
    nodes, processes = picture.network.size, picture.communication.processes
    fits = own is not None and len(own.mapping) == processes and max(own.mapping) < nodes
    return (*given, own) if own is not None and fits else given


def best_of(picture: MappingPicture, orders: tuple[MappedOrder, ...]) -> MappedOrder:
    """The order that is best in the study's objective."""
    return min(orders, key=lambda order: order.measures.rank(picture.objective))


def own_text(own: MappedOrder | None) -> str:
    """The own mapping as the study's parameter takes it: "3,0,2"."""
    return "" if own is None else ",".join(map(str, own.mapping))
