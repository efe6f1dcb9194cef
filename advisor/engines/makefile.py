"""make: a Makefile by machine, over ssh or here; what is done is a mark, so that make goes on.

What a task needs are prerequisites, the tasks whose cores it takes over order-only ones: with as
many jobs as cores, every machine keeps the plan's order and holds no more than its cores. Texts are
words in bash's ``$'…'``, whose escapes leave neither a line break nor a dollar for make to find.
"""

from __future__ import annotations

import re
import shlex

from advisor.allocation.plan_jobs import Job, Jobs, said_of_ssh
from advisor.engines.engine import Engine
from advisor.engines.shell_functions import MACHINES
from advisor.engines.shell_words import comment, named, plan_name
from machines.errors import InputError

_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\t": "\\t", "\r": "\\r", "$": "\\x24"}
_PLAIN = {escaped: sign for sign, escaped in _ESCAPES.items()}
_ESCAPED = re.compile(r"\\(?:x24|.)")
_QUOTED = r"\$\$'((?:[^'\\\n]|\\.)*)'"
_HOST = re.compile(rf"host_(\w+)={_QUOTED}")
_RULE = re.compile(r"\$\(FOLDER\)/(\w+)\.done:([^|]*)\| \$\(FOLDER\)/run(.*)")
_RECIPE = re.compile(
    rf'\t@eval "\$\$PLACEWISE"; run (\w+) {_QUOTED} {_QUOTED} "\$\$host_(\w+)" (\d+) {_QUOTED}'
)
_MARK = re.compile(r" ?\$\(FOLDER\)/(\w+)\.done")
_HEAD = """
Run it in the folder in which the commands work, with as many jobs as the plan needs:

    make -f FILE -j{jobs}            tasks run over ssh, but for those of this host (or "localhost")
    make -f FILE -j{jobs} LOCAL=1    all run here

ssh must need no password. The folder is the same on every machine. RECORD names the run record,
logs of tasks are in FOLDER. Hosts (host_… below) and commands, the last words of the lines
"run", may be edited. make resumes what is not done; "make -f FILE clean" forgets what is."""
_ASKED = "No command is stated for the next task: write it between the last quotes"
_FUNCTIONS = 'folder="$FOLDER" record="$RECORD"' + MACHINES
_RULES = """endef
export PLACEWISE FOLDER RECORD LOCAL
.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: all clean
all:
clean:
	rm -f $(FOLDER)/*.done $(FOLDER)/run
$(FOLDER)/run:
	@eval "$$PLACEWISE"; begin
"""
_PREPARED = _FUNCTIONS.replace("$", "$$") + _RULES
_FIXED = "SHELL := /bin/bash\n.SHELLFLAGS := -c\n"


def render(jobs: Jobs) -> str:
    """The Makefile of a plan."""
    name = plan_name(jobs, says(jobs))
    head = _HEAD.format(jobs=_cores(jobs))
    slugs = {machine: slug for machine, slug, _ in jobs.machines}
    return "".join((
        comment(f"Runs a plan of “{jobs.name}”.{head}"),
        f"{_FIXED}FOLDER := {name}.run\nRECORD := {name}.csv\ndefine PLACEWISE\n",
        *(f"host_{slug}={_quoted(machine)}\n" for machine, slug, _ in jobs.machines),
        _PREPARED,
        *(_rule(job, jobs, slugs[job.machine]) for job in jobs.jobs),
    ))  # fmt: skip


def parse(text: str) -> object:
    """Where each task runs, with how many cores, its prerequisites of both kinds, its command."""
    head, found, rest = text.partition(_PREPARED)
    if not found:
        raise InputError("the Makefile is another's, or its functions were changed")
    hosts = _hosts(head)
    names: dict[str, str] = {}
    tasks = []
    lines = [line for line in rest.split("\n") if line and not line.startswith("#")]
    for at in range(0, len(lines), 3):
        asked, rule, recipe = (*lines[at : at + 3], "", "")[:3]
        ruled, run = _RULE.fullmatch(rule), _RECIPE.fullmatch(recipe)
        if not ruled or not run or not ruled[1] == run[1] or asked != f"all: {_mark(run[1])}":
            raise InputError("no rule of a task", value=rule[:80])
        slug, name, machine, host, cores, command = run.groups()
        if host not in hosts:
            raise InputError("a host is not stated", where=f'task "{slug}"', value=host)
        names[slug] = _plain(name)
        needs, over = (named(names, _MARK.findall(part)) for part in (ruled[2], ruled[3]))
        tasks.append((names[slug], _plain(machine), int(cores), needs, over, _plain(command)))
    return tuple(tasks)


def says(jobs: Jobs) -> tuple[object, ...]:
    """What the Makefile must say."""
    return tuple(
        (job.name, job.machine, job.cores, *(frozenset(jobs.jobs[one].name for one in places)
                                             for places in (job.after, _behind(job))), job.command)
        for job in jobs.jobs
    )  # fmt: skip


def _behind(job: Job) -> tuple[int, ...]:
    """What it waits for beside what it needs: the others whose cores it takes over."""
    return tuple(one for one in job.over if one not in job.after)


def _hosts(head: str) -> set[str]:
    """The slugs of machines whose hosts the first lines state."""
    lines = [line for line in head.split("\n") if not line.startswith("#")]
    known = {*_FIXED.split("\n"), "define PLACEWISE", ""}
    found = {line: _HOST.fullmatch(line) for line in lines if line not in known}
    odd = [line for line, host in found.items()
           if not host and not re.fullmatch(r"(FOLDER|RECORD) := [\w.-]+", line)]  # fmt: skip
    if odd:
        raise InputError("no line of the Makefile", value=odd[0][:80])
    return {host[1] for host in found.values() if host}


def _rule(job: Job, jobs: Jobs, machine: str) -> str:
    needs, over = ("".join(f" {_mark(jobs.jobs[one].slug)}" for one in places)
                   for places in (job.after, _behind(job)))  # fmt: skip
    mark = _mark(job.slug)
    words = f"{job.slug} {_quoted(job.name)} {_quoted(job.machine)}"
    return (
        f"all: {mark}\n{mark}:{needs} | $(FOLDER)/run{over}\n"
        + ("" if job.command else comment(_ASKED))
        + f'\t@eval "$$PLACEWISE"; run {words} "$$host_{machine}" {job.cores} '
        f"{_quoted(job.command)}\n"
    )


def _mark(slug: str) -> str:
    return f"$(FOLDER)/{slug}.done"


def _quoted(text: str) -> str:
    return "$$'" + "".join(_ESCAPES.get(sign, sign) for sign in text) + "'"


def _plain(text: str) -> str:
    return _ESCAPED.sub(lambda found: _PLAIN[found[0]], text)


def _cores(jobs: Jobs) -> int:
    """Of all machines: what may run at once."""
    return sum(cores for _, _, cores in jobs.machines)


def _commands(jobs: Jobs, file: str) -> tuple[str, ...]:
    command = f"make -f {shlex.quote(file)} -j{_cores(jobs)}"
    return (f"Over ssh: {command}", f"All here: {command} LOCAL=1")


ENGINE = Engine(
    "make", "Makefile (ssh or this host)", ".mk", render, parse, says, _commands, said_of_ssh
)  # fmt: skip
