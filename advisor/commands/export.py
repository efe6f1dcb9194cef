"""The subcommand `export`: a plan, a mapping or a process tree as a file for another tool."""

from __future__ import annotations

import shlex
from argparse import Namespace
from pathlib import Path

from advisor.allocation.predict import predict
from advisor.basics.hosts import read_capacities, read_hosts
from advisor.commands.inputs import load_kernels, read_planned, warn
from advisor.commands.text import say
from advisor.export import FORMATS, export_plan
from advisor.export.launchers import LAUNCHERS, export_mapping
from advisor.export.placement import place
from advisor.messages.mapping.mapping_file import read_mapping
from advisor.trees import mrnet
from advisor.trees.hosts import Hosts, PlacedTree, place_tree
from advisor.trees.stat_options import stat_options
from advisor.trees.topgen_spec import topgen_spec
from advisor.trees.tree_file import FoundTree, read_tree
from machines import InputError
from machines.files import write_text

TREE_FORMATS = ("mrnet", "stat")


def run_export(arguments: Namespace) -> int:
    """Write a plan for another tool, a mapping for a launcher, or a tree for MRNet or STAT."""
    if arguments.to in TREE_FORMATS:
        return _export_tree(arguments)
    if arguments.to in LAUNCHERS:
        return _export_mapping(arguments)
    if arguments.to not in FORMATS:
        raise InputError(
            "unknown format",
            value=arguments.to,
            remedy=f"Formats: {', '.join(FORMATS)}; of a mapping: {', '.join(LAUNCHERS)}; "
            f"of a tree: {', '.join(TREE_FORMATS)}",
        )
    problem, plan = read_planned(arguments.plan, arguments.workload, arguments.platform)
    load_kernels(problem)
    export_plan(arguments.to, problem, plan, predict(problem, plan), Path(arguments.output))
    return 0


def _export_mapping(arguments: Namespace) -> int:
    """Write a mapping and print the command line that uses it."""
    if arguments.hosts is None:
        raise InputError(
            "a mapping needs the hosts that it is for",
            where=f"export {arguments.to}",
            remedy="Give --hosts FILE, one host a line",
        )
    placement = place(read_mapping(arguments.plan), read_hosts(arguments.hosts, arguments.cores))
    say(*export_mapping(arguments.to, placement, arguments.output))
    return 0


def _export_tree(arguments: Namespace) -> int:
    """Write a tree and print the commands that use it."""
    named = read_tree(arguments.plan)
    hosts = _hosts(arguments)
    placed = named.placed if hosts is None else place_tree(named.tree, hosts, arguments.first_index)
    if arguments.to == "stat":
        return _export_stat(named, placed, arguments.output)
    notes: tuple[str, ...] = ()
    if placed is None:
        placed = place_tree(named.tree, None, arguments.first_index)
        notes = (f"The hosts {placed.front_end}, … are made up; give your own with --hosts FILE.",)
    say(*mrnet.export_topology(placed, arguments.output, arguments.attach))
    spec = topgen_spec(named.tree)
    if spec is not None and not arguments.attach:
        say(f"The same tree by MRNet's generator: mrnet_topgen -f HOST -h HOSTS -o FILE -t {spec}")
    warn((*named.warnings, *notes, *mrnet.doubts(placed, arguments.attach)))
    return 0


def _export_stat(named: FoundTree, placed: PlacedTree | None, output: str) -> int:
    found = stat_options(named.tree, placed)
    line = shlex.join(("stat-cl", *found.options))
    write_text(output, line + "\n")
    say(f"STAT: {line} PID_OF_LAUNCHER")
    notes = () if placed else ("Name nodes for communication processes: --nodes or --appnodes.",)
    warn((*(notes if named.tree.internal else ()), *found.differences))
    return 0


def _hosts(arguments: Namespace) -> Hosts | None:
    """The hosts that the options name; the front-end's is the first of them by default."""
    if arguments.hosts is None:
        for option in ("internal_hosts", "front_end"):
            if getattr(arguments, option) is not None:
                raise InputError(
                    "without hosts for the back-ends this says too little",
                    where=f"--{option.replace('_', '-')}",
                    value=getattr(arguments, option),
                    remedy="Give --hosts FILE, too",
                )
        return None
    back_ends = read_capacities(arguments.hosts, arguments.cores)
    internal = (
        ()
        if arguments.internal_hosts is None
        else read_capacities(arguments.internal_hosts, arguments.cores)
    )
    return Hosts(arguments.front_end or (internal or back_ends)[0][0], back_ends, internal)
