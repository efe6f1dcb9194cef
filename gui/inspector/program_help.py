"""What the fields of programs are called, their units, and what to know about each."""

from __future__ import annotations

from typing import NamedTuple

_PAPER = "Moritz & Frank 2001"


class Label(NamedTuple):
    """Label, unit and tooltip of a field."""

    label: str
    unit: str = ""
    help: str = ""


HELP = {
    "messages": Label("Messages", "", "Messages that each process sends; ≥ 1"),
    "message_bytes": Label("Message size B", "B", "Bytes of one message; ≥ 1"),
    "computation_s": Label(
        "Computing between",
        "s",
        "Computation between two messages, on a machine of the reference speed; ≥ 0",
    ),
    "pattern": Label(
        "Pattern",
        "",
        "Who sends to whom. all-to-all: to everyone in turn; shift: to the process some places "
        "further on; permutation: to one partner each; neighbours: to nodes within some hops; "
        "hotspot: a share to one process; em3d: to a few processes on either side",
    ),
    "reach": Label(
        "Reach", "", "Places of a shift, hops of neighbours, processes on either side of em3d; ≥ 1"
    ),
    "share": Label("Hotspot share f", "", "Share of all messages that go to the hotspot; 0 to 1"),
    "node": Label("Hotspot", "", "The process that is the hotspot, counted from 0"),
    "seed": Label(
        "Seed", "", "Number from which the permutation or the random order is drawn; ≥ 0"
    ),
    "completion": Label(
        "Completion",
        "",
        f"synchronous: the sender waits for a reply; asynchronous: it goes on ({_PAPER}, sec. 5.1)",
    ),
    "transport": Label(
        "Transport",
        "",
        "short: the processor writes the bytes, many messages for many bytes; long: a DMA engine "
        "moves them, and the processor waits for it (blocking) or computes meanwhile "
        f"(non-blocking) ({_PAPER}, sec. 2.2)",
    ),
    "short_bytes": Label(
        "Short message",
        "B",
        "Most bytes of one short message; a larger one is cut into equal pieces; ≥ 1",
    ),
    "mapping": Label(
        "Mapping",
        "",
        "Order in which processes take the nodes: row-major, snake (every other row backwards), "
        "gray, hilbert (near processes stay near) or random",
    ),
    "processes": Label("Processes P", "", "How many; ≥ 2, at most one a node. Empty: one each"),
    "nodes": Label("Graph nodes", "", f"E and H nodes of the graph together; ≥ 1 ({_PAPER}, 5.3)"),
    "degree": Label("Degree", "", "Edges of each node; ≥ 1"),
    "nonlocal_share": Label(
        "Nonlocal share", "", "Share of the edges that end on another processor; 0 to 1"
    ),
    "iterations": Label("Iterations", "", "Each sends all values that cross; ≥ 1"),
    "edge_s": Label("Computing per edge", "s", "On a machine of the reference speed; ≥ 0"),
    "span": Label("Span", "", "Neighbours to either side that a processor sends to; ≥ 1"),
    "values_per_message": Label("Values per message", "", "Values that are sent together; > 0"),
    "bytes_per_value": Label("Bytes per value", "B", "> 0; a message has at least one byte"),
    "n": Label("Rows and columns n", "", f"The wavefront has n × n elements; ≥ 1 ({_PAPER}, 5.2)"),
    "element_s": Label("Computing per element", "s", "On a machine of the reference speed; > 0"),
    "aggregation_s": Label("Packing α", "s", "Packing and unpacking of one value; ≥ 0"),
    "blocks": Label(
        "Blocks b",
        "",
        "Blocks of a stripe, 1 to n: few make the others wait, many cost messages. Empty: the best "
        f"number on each machine ({_PAPER}, Eq. (15))",
    ),
    "application": Label(
        "Application",
        "",
        "What each processor does in each phase: computing, page faults, locks, barriers, as "
        "counted. Those that ship are reconstructions (Parsons, Brorsson & Sevcik 1997); your own "
        "counts come with a workload file",
    ),
}
PLACEHOLDERS = {"blocks": "the best", "processes": "one on each node"}
