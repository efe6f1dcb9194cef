"""Nextflow: a configuration that carries a plan into a pipeline of one's own, by process selector.

A process that is named after a kind of tasks, or after a task, gets its cores and its machine's
node. Where tasks of a kind are on several machines, a task's tag says which it is: closures are
evaluated for each task. Nodes are named to Slurm, as Nextflow passes ``clusterOptions`` on as they
are.

Written after Nextflow's documentation (25.10: Configuration, Process selectors, Directives); no
Nextflow has run it.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Mapping

from advisor.allocation.plan_jobs import GPU, Job, Jobs, hosts_of, rules_of, said_of_hosts
from advisor.engines.engine import Engine
from advisor.engines.slurm import notes_on_units, units_asked
from machines.errors import InputError

Constant = str | int
ByTag = tuple[tuple[tuple[str, Constant], ...], Constant]  # value of each tag, and of any other
Directive = tuple[str, Constant | ByTag]
Selector = tuple[str, tuple[Directive, ...]]

_HEAD = """\
// A plan as Nextflow configuration: processes named after kinds of tasks or after tasks.
// Written by Placewise. Use it by
//     nextflow run PIPELINE -c FILE
// Where a kind is on several machines, the process needs a tag: the task's name, or what in it
// follows the kind's. Nodes are for Slurm: set process.executor = 'slurm' in your configuration.
"""
_TOKEN = re.compile(r"//[^\n]*|'(?:[^'\\\n]|\\['\\])*'|[A-Za-z_]\w*|\d+|\?:|[][{}:=,.]|\s+")


def render(jobs: Jobs) -> str:
    """The configuration."""
    lines = [_HEAD, "process {"]
    for name, directives in says(jobs):
        lines += [f"    withName: {_written(name)} {{"]
        lines += [f"        {key} = {_value(value)}" for key, value in directives]
        lines += ["    }"]
    return "\n".join([*lines, "}", ""])


def says(jobs: Jobs) -> list[Selector]:
    """The selectors with their directives."""
    hosts = hosts_of(jobs)
    cores = {name: count for name, _, count in jobs.machines}

    def directives(alike: tuple[Job, ...]) -> Iterator[Directive]:
        yield "cpus", _by_tag(alike, {job.name: job.cores for job in alike}, 1)
        if most_bytes := max(job.memory_bytes for job in alike):
            memory = {job.name: f"{job.memory_bytes or most_bytes} B" for job in alike}
            yield "memory", _by_tag(alike, memory, f"{most_bytes} B")
        if any(GPU in job.held for job in alike):
            units = {job.name: job.held.get(GPU, 0) for job in alike}
            yield "accelerator", _by_tag(alike, units, 0)
        forks = sum(
            cores[one] // min(job.cores for job in alike if job.machine == one)
            for one in {job.machine for job in alike}
        )
        yield "maxForks", forks
        options = {
            job.name: " ".join([f"--nodelist={hosts[job.machine]}", *units_asked(job)])
            for job in alike
        }
        yield "clusterOptions", _by_tag(alike, options, "")

    return [(name, tuple(directives(alike))) for name, alike in rules_of(jobs).items()]


def _by_tag(
    alike: tuple[Job, ...], values: Mapping[str, Constant], otherwise: Constant
) -> Constant | ByTag:
    """One value where all have it, else by tag."""
    if len(set(values.values())) == 1:
        return values[alike[0].name]
    short = {job.name.removeprefix(job.kind).strip(" _.#-"): values[job.name] for job in alike}
    short.pop("", None)
    return tuple((short | dict(values)).items()), otherwise


def parse(text: str) -> list[Selector]:
    """The selectors of a configuration."""
    tokens = _tokens(text)
    try:
        _expect(tokens, "process", "{")
        found: list[Selector] = []
        while (token := next(tokens)) != "}":
            _expect(iter((token, next(tokens))), "withName", ":")
            name = _constant(next(tokens))
            _expect(tokens, "{")
            directives: list[Directive] = []
            while (key := next(tokens)) != "}":
                _expect(tokens, "=")
                directives.append((key, _read_value(tokens)))
            found.append((str(name), tuple(directives)))
    except StopIteration:
        raise InputError("the configuration is cut", where="Nextflow") from None
    return found


def _read_value(tokens: Iterator[str]) -> Constant | ByTag:
    token = next(tokens)
    if token != "{":
        return _constant(token)
    _expect(tokens, "[")
    by_tag: list[tuple[str, Constant]] = []
    separator = ","
    while separator == ",":
        tag = _constant(next(tokens))
        _expect(tokens, ":")
        by_tag.append((str(tag), _constant(next(tokens))))
        separator = next(tokens)
    _expect(iter((separator,)), "]")
    _expect(tokens, "[", "task", ".", "tag", "]", "?:")
    otherwise = _constant(next(tokens))
    _expect(tokens, "}")
    return tuple(by_tag), otherwise


def _tokens(text: str) -> Iterator[str]:
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            line = text.count("\n", 0, at) + 1
            raise InputError("unexpected sign", where=f"Nextflow: line {line}", value=text[at])
        at = found.end()
        if not found[0].isspace() and not found[0].startswith("//"):
            yield found[0]


def _expect(tokens: Iterator[str], *wanted: str) -> None:
    for one in wanted:
        token = next(tokens)
        if token != one:
            raise InputError(f"{one} expected", where="Nextflow", value=token)


def _constant(token: str) -> Constant:
    if token.startswith("'"):
        return re.sub(r"\\(.)", r"\1", token[1:-1])
    if not token.isdecimal():
        raise InputError("a string or a number expected", where="Nextflow", value=token)
    return int(token)


def _value(value: Constant | ByTag) -> str:
    if not isinstance(value, tuple):
        return _written(value)
    by_tag, otherwise = value
    told = ", ".join(f"{_written(tag)}: {_written(one)}" for tag, one in by_tag)
    return f"{{ [{told}][task.tag] ?: {_written(otherwise)} }}"


def _written(value: Constant) -> str:
    """A Groovy literal; in single quotes nothing is expanded."""
    if isinstance(value, int):
        return str(value)
    return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"


def commands(_jobs: Jobs, file: str) -> tuple[str, ...]:
    """The command line that uses it."""
    return (f"nextflow run PIPELINE -c {shlex.quote(file)} -with-trace",)


def notes(jobs: Jobs) -> tuple[str, ...]:
    """What Nextflow can't keep of the plan."""
    return (
        "Nextflow keeps no order: it submits a task as soon as its inputs exist",
        "The configuration binds processes by their names, and tasks of a kind that is on several "
        "machines by their tags; Nextflow warns of selectors that fit no process",
        "Without Slurm nothing is placed: clusterOptions mean nothing to the local executor, and "
        "maxForks limits each process by itself, not a machine",
        *notes_on_units(jobs),
        "The file follows Nextflow's documentation and has not been run by Nextflow",
        *said_of_hosts(jobs),
    )


ENGINE = Engine(
    "nextflow",
    "Nextflow configuration",
    ".config",
    render,
    parse,
    says,
    commands,
    notes,
    has_commands=False,
)
