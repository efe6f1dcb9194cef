"""The subcommand `export`: a plan, a mapping or a process tree as a file for another tool.

What the file holds is told by its content. Of a plan its mappings and trees are exported, too.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable
from typing import Any

from advisor.allocation.predict import predict
from advisor.basics.content import JSON, read_content
from advisor.basics.host_list import read_capacities
from advisor.basics.json_text import parse
from advisor.commands.inputs import is_planned, load_kernels, read_planned, warn
from advisor.commands.text import say
from advisor.export.everything import ALL, everything
from advisor.export.export_options import (
    CORES_EACH,
    OPTIONS,
    Capacity,
    Option,
    Options,
    options_from,
)
from advisor.export.export_record import PLAN, Export, Kind, Planned
from advisor.export.of_plan import PARTS, Part, part_of, source_of
from advisor.export.process_placement import MAPPING
from advisor.export.registry import EXPORTS, exports_of, listed
from advisor.export.tree_on_hosts import TREE
from advisor.messages.mapping.mapping_file import is_mapping, read_mapping
from advisor.trees.tree_file import is_tree, read_tree
from machines import InputError
from machines.files import decoded, expect_writable
from machines.folders import expect_new_folder, refuse_other_ending, write_folder


def run_export(arguments: Namespace) -> int:
    """Write what a file holds for another tool, and say how the tool uses it."""
    held = _held(arguments.plan)
    if arguments.to == ALL:
        return _export_all(arguments, held)
    if arguments.to not in EXPORTS:
        raise InputError("unknown format", value=arguments.to, remedy=listed(held))
    export = EXPORTS[arguments.to]
    part = part_of(export.kind) if held is PLAN else None
    if held is not None and export.kind is not held and part is None:
        raise InputError(
            f"it holds a {held.name}, and {export.name} is a format of a {export.kind.name}",
            where=arguments.plan,
            remedy=f"Formats of a {held.name}: {', '.join(exports_of(held))}",
        )
    _refuse_other_parts(arguments, part)
    refuse_other_ending(
        arguments.output, export.suffix, [one.suffix for one in exports_of(export.kind).values()]
    )
    expect_writable(arguments.output)
    options = _options(export, arguments)
    try:
        if part is None:
            source = _READ[export.kind.name](arguments)
        else:
            source = source_of(part, _read_plan(arguments), getattr(arguments, part.of))
        subject = export.kind.place(source, options)
    except InputError as error:
        raise error if error.where else error.at(f"export {export.name}") from None
    say(*export.write(subject, arguments.output))
    warn(export.said(subject))
    return 0


def _export_all(arguments: Namespace, held: Kind[Any] | None) -> int:
    """Write every file of a plan into a folder, and say what is in it."""
    if held is not None and held is not PLAN:
        raise InputError(
            f"it holds a {held.name}, and {ALL} is for a plan",
            where=arguments.plan,
            remedy=f"Formats of a {held.name}: {', '.join(exports_of(held))}",
        )
    _refuse_other_parts(arguments, None)
    given = next((one for one in OPTIONS if one.kind != CORES_EACH and vars(arguments)[one.name]),
                 None)  # fmt: skip
    if given is not None:
        raise InputError(
            f"{ALL} names the nodes of every machine itself",
            where=given.flag,
            remedy="Leave it out, or export one format with hosts of your own",
        )
    expect_new_folder(arguments.output)
    found = everything(_read_plan(arguments))
    write_folder(arguments.output, found.texts)
    say(found.contents.rstrip("\n"))
    return 0


def _refuse_other_parts(arguments: Namespace, part: Part | None) -> None:
    """The name of a task or overlay says which mapping or tree of a plan is meant."""
    for other in PARTS:
        if other is not part and vars(arguments)[other.of] is not None:
            raise InputError(
                f"this names the {other.of} whose {other.kind.name} is exported",
                where=other.flag,
                value=vars(arguments)[other.of],
                remedy=f"Formats of a {other.kind.name}: {', '.join(exports_of(other.kind))}",
            )


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
                "the hosts of the back-ends are missing",
                where=option.flag,
                value=values[option.name],
                remedy="Give --hosts FILE, too",
            )
    return options_from(export.options, values, _read_hosts)


def _read_hosts(_option: Option, path: str, cores: int) -> tuple[Capacity, ...]:
    return read_capacities(path, cores)
