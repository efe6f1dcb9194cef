"""The subcommand `export`: a plan, a mapping or a process tree as a file for another tool.

What the file holds is told by its content.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from typing import Any

from advisor.allocation.predict import predict
from advisor.basics.content import JSON, read_content
from advisor.basics.hosts import read_capacities
from advisor.basics.json_text import parse
from advisor.commands.inputs import is_planned, load_kernels, read_planned, warn
from advisor.commands.text import say
from advisor.export.export import Export, Kind
from advisor.export.options import Capacity, Option, Options, options_from
from advisor.export.placement import MAPPING
from advisor.export.planned import PLAN, Planned
from advisor.export.registry import EXPORTS, exports_of, listed
from advisor.export.tree_on_hosts import TREE
from advisor.messages.mapping.mapping_file import is_mapping, read_mapping
from advisor.trees.tree_file import is_tree, read_tree
from machines import InputError
from machines.endings import refuse_other_ending
from machines.files import decoded, expect_writable


def run_export(arguments: Namespace) -> int:
    """Write what a file holds for another tool, and say how the tool uses it."""
    held = _held(arguments.plan)
    if arguments.to not in EXPORTS:
        raise InputError("unknown format", value=arguments.to, remedy=listed(held))
    export = EXPORTS[arguments.to]
    if held is not None and export.kind is not held:
        raise InputError(
            f"it holds a {held.name}, and {export.name} is a format of a {export.kind.name}",
            where=arguments.plan,
            remedy=f"Formats of a {held.name}: {', '.join(exports_of(held))}",
        )
    refuse_other_ending(
        arguments.output, export.suffix, [one.suffix for one in exports_of(export.kind).values()]
    )
    expect_writable(arguments.output)
    source = _READ[export.kind.name](arguments)
    options = _options(export, arguments)
    try:
        subject = export.kind.place(source, options)
    except InputError as error:
        raise error if error.where else error.at(f"export {export.name}") from None
    say(*export.write(subject, arguments.output))
    warn(export.said(subject))
    return 0


def _held(path: str) -> Kind[Any] | None:
    """What a file holds; None: nothing known, or it can't be read, which its reader tells."""
    try:
        content, syntax = read_content(path)
        document = parse(content, path) if syntax == JSON else decoded(content, path)
    except InputError:
        return None
    return next((kind for kind, holds in _HOLDS if holds(document)), None)


def _read_plan(arguments: Namespace) -> Planned:
    problem, plan = read_planned(arguments.plan, arguments.workload, arguments.platform)
    load_kernels(problem)
    return Planned(problem, plan, predict(problem, plan))


_HOLDS: tuple[tuple[Kind[Any], Callable[[object], bool]], ...] = (
    (PLAN, is_planned),
    (MAPPING, is_mapping),
    (TREE, is_tree),
)
_READ: dict[str, Callable[[Namespace], object]] = {
    PLAN.name: _read_plan,
    MAPPING.name: lambda arguments: read_mapping(arguments.plan),
    TREE.name: lambda arguments: read_tree(arguments.plan),
}


def _options(export: Export[Any], arguments: Namespace) -> Options:
    """The options that the export takes; some say too little without another."""
    values = vars(arguments)
    for option in export.options:
        if values[option.name] and option.beside and not values[option.beside]:
            raise InputError(
                "without hosts for the back-ends this says too little",
                where=option.flag,
                value=values[option.name],
                remedy="Give --hosts FILE, too",
            )
    return options_from(export.options, values, _read_hosts)


def _read_hosts(_option: Option, path: str, cores: int) -> tuple[Capacity, ...]:
    return read_capacities(path, cores)
