"""Parallel programs in words: what a parallel task does, for tooltips and sheets."""

from __future__ import annotations

from advisor.basics.quantities import count, duration, percent, size
from advisor.messages.patterns import ALL_TO_ALL, EM3D, HOTSPOT, NEIGHBOURS, PERMUTATION, Pattern
from advisor.programs.records import DiamondDag, Em3d, Program, SharedMemoryProgram


def in_words(program: Program) -> str:
    """One sentence: what is computed, who sends what to whom, how, and where the processes are."""
    if isinstance(program, SharedMemoryProgram):
        application = program.application
        return (
            f"{application.name} shares memory among {count(application.processors, 'processor')} "
            f"in {count(len(application.phases), 'phase')}."
        )
    if isinstance(program, DiamondDag):
        blocks = "the best number of blocks"
        if program.blocks is not None:
            blocks = count(program.blocks, "block")
        what = (
            f"Wavefront over {program.n:,} × {program.n:,} elements in stripes of {blocks}; long "
            "blocking messages"
        )
    elif isinstance(program, Em3d):
        how = f"{program.style.name} messages of {size(program.message_bytes)}"
        what = (
            f"EM3D on a graph of {count(program.nodes, 'node')} with "
            f"{count(program.degree, 'edge')} each, {percent(program.nonlocal_share)} of them "
            f"between processes, {count(program.iterations, 'iteration')}; {how}"
        )
    else:
        between = ""
        if program.computation_s > 0:
            between = f", {duration(program.computation_s)} of computing between two"
        what = (
            f"Each process sends {count(program.messages, 'message')} of "
            f"{size(program.message_bytes)} {receivers(program.traffic)}{between}; "
            f"{program.style.name}"
        )
    placed = (
        "a process on each node" if program.processes is None else f"{program.processes} processes"
    )
    return f"{what}; {placed} in {program.mapping} order."


def receivers(pattern: Pattern) -> str:
    """Who receives, after "sends … messages"."""
    if pattern.kind == ALL_TO_ALL:
        return "to all others in turn"
    if pattern.kind == PERMUTATION:
        return "to one partner"
    if pattern.kind == NEIGHBOURS:
        return f"to the nodes within {count(pattern.reach, 'hop')}"
    if pattern.kind == HOTSPOT:
        return f"to all others, {percent(pattern.share)} of them to process {pattern.node}"
    if pattern.kind == EM3D:
        return f"to the {count(pattern.reach, 'process', 'processes')} on either side"
    return f"to the process {pattern.reach} further on"
