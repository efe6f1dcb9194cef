"""bash: a script without an engine: a queue for each machine, over ssh or here.

A task starts when all that it needs have ended and its machine has the cores, machine by machine in
the plan's order: the next one of a machine never starts before the one ahead of it. A failure lets
what runs end and starts nothing more; the script run again goes on from there.
"""

from __future__ import annotations

import shlex

from advisor.engines.engine import Engine
from advisor.engines.hosts import said_of_ssh
from advisor.engines.jobs import Jobs
from advisor.engines.shell_functions import MACHINES
from advisor.engines.shell_words import (
    after_functions,
    comment,
    named,
    number,
    plan_name,
    statement,
    statements,
)
from machines.errors import InputError

_QUEUES = r"""
machine() { # slug, name, cores, host (for ssh)
    machines+=("$1")
    name[$1]=$2 free[$1]=$3 host[$1]=$4 next[$1]=0 length[$1]=0
}
task() { # slug, name, machine, cores, slugs of what it needs, command
    tasks+=("$1")
    title[$1]=$2 machine[$1]=$3 cores[$1]=$4 needs[$1]=$5 command[$1]=$6
    queue[$3:${length[$3]}]=$1
    length[$3]=$((length[$3] + 1))
    [ ! -e "$folder/$1.done" ] || done[$1]=1
}
launch() { # slug
    local on=${machine[$1]}
    free[$on]=$((free[$on] - cores[$1]))
    {
        run "$1" "${title[$1]}" "${name[$on]}" "${host[$on]}" "${cores[$1]}" "${command[$1]}"
        echo "$1 $?" >&3
    } &
    pids[$1]=$!
    printf 'started %s on %s\n' "${title[$1]}" "${name[$on]}"
}
advance() { # starts what can start
    local on slug need
    for on in "${machines[@]}"; do
        while ((next[$on] < length[$on])); do
            slug=${queue[$on:${next[$on]}]}
            if [ -z "${done[$slug]-}" ]; then
                ((cores[$slug] <= free[$on])) || continue 2
                for need in ${needs[$slug]}; do
                    [ -n "${done[$need]-}" ] || continue 3
                done
                launch "$slug"
            fi
            next[$on]=$((next[$on] + 1))
        done
    done
}
interrupted() {
    trap '' INT TERM
    kill -TERM $(jobs -p) 2>/dev/null
    wait
    echo 'placewise: interrupted; run the script again to resume' >&2
    exit 130
}
stated() { # whether every task has a command
    local slug
    for slug in "${tasks[@]}"; do
        [ -n "${command[$slug]}" ] && continue
        printf 'placewise: no command is stated for task %s: write it at the end of its line\n' \
            "${title[$slug]}" >&2
        return 1
    done
}
carry_out() {
    local slug status failed=0
    stated || exit 2
    begin
    rm -f "$folder/events"
    mkfifo "$folder/events" && exec 3<>"$folder/events" && rm -f "$folder/events" || exit
    trap interrupted INT TERM
    advance
    while ((${#pids[@]})); do
        read -r slug status <&3 || continue
        unset "pids[$slug]"
        free[${machine[$slug]}]=$((free[${machine[$slug]}] + cores[$slug]))
        if ((status)); then
            failed=1
            continue
        fi
        done[$slug]=1
        printf 'ended %s\n' "${title[$slug]}"
        ((failed)) || advance
    done
    if ((${#done[@]} < ${#tasks[@]})); then
        printf 'placewise: %d of %d tasks are done; ' "${#done[@]}" "${#tasks[@]}" >&2
        echo 'run the script again to resume' >&2
        exit 1
    fi
    rm -f "$folder"/*.done "$folder/run"
    printf 'placewise: all tasks are done; record: %s\n' "$record"
}
declare -a machines=() tasks=()
declare -A name=() free=() host=() next=() length=() queue=()
declare -A title=() machine=() cores=() needs=() command=() done=() pids=()
plan() { # name: of folder and record
    folder=$1.run record=${PLACEWISE_RECORD:-$1.csv}
}
"""
_FUNCTIONS = f"""if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 404)); then
    echo 'placewise: this script needs bash 4.4 or newer' >&2
    exit 2
fi
{MACHINES}{_QUEUES}"""
_HEAD = """
Run it in the folder in which the commands work, with bash 4.4 or newer:

    bash FILE            tasks run over ssh, but for those of this host (or "localhost")
    LOCAL=1 bash FILE    all run here

ssh must need no password. The folder is the same on every machine. PLACEWISE_RECORD names the run
record, logs of tasks are in the folder *.run. Hosts, the last words of the lines "machine", and
commands, the last words of the lines "task", may be edited. After a failure or Ctrl-C the script
resumes what is not done; remove the folder *.run to begin anew."""
_ASKED = "No command is stated for the next task: write it between the quotes at the line's end"


def render(jobs: Jobs) -> str:
    """The script of a plan."""
    said = says(jobs)
    lines = ["#!/usr/bin/env bash\n", comment(f"Runs a plan of “{jobs.name}”.{_HEAD}"),
             _FUNCTIONS, "\n", statement("plan", plan_name(jobs, said))]  # fmt: skip
    slugs = {}
    for name, slug, cores in jobs.machines:
        slugs[name] = slug
        lines.append(statement("machine", slug, name, cores, name))
    for job in jobs.jobs:
        needs = " ".join(jobs.jobs[one].slug for one in job.after)
        if not job.command:
            lines.append(comment(_ASKED))
        lines.append(statement("task", job.slug, job.name, slugs[job.machine], job.cores, needs,
                               job.command))  # fmt: skip
    lines.append("carry_out\n")
    return "".join(lines)


def parse(text: str) -> object:
    """Machines with their cores, and tasks in their order, as the script's statements say."""
    found = statements(after_functions(text, _FUNCTIONS))
    machines: list[tuple[str, int]] = []
    places: dict[str, str] = {}
    names: dict[str, str] = {}
    tasks = []
    for words in found:
        match words:
            case ("plan", _) | ("carry_out",):
                pass
            case ("machine", slug, name, cores, _):
                places[slug] = name
                machines.append((name, number(cores)))
            case ("task", slug, name, machine, cores, needs, command):
                after = named(names, needs.split())
                names[slug] = name
                (on,) = named(places, [machine])
                tasks.append((name, on, number(cores), after, command))
            case _:
                raise InputError("no statement of the script", value=" ".join(words))
    if not found or found[-1] != ("carry_out",):
        raise InputError("the script is cut", remedy='Its last line is "carry_out"')
    return tuple(machines), tuple(tasks)


def says(jobs: Jobs) -> tuple[object, ...]:
    """What the script must say."""
    tasks = tuple(
        (job.name, job.machine, job.cores, frozenset(jobs.jobs[one].name for one in job.after),
         job.command)
        for job in jobs.jobs
    )  # fmt: skip
    return tuple((name, cores) for name, _, cores in jobs.machines), tasks


def _commands(_jobs: Jobs, file: str) -> tuple[str, ...]:
    name = shlex.quote(file)
    return (f"Over ssh: bash {name}", f"All here: LOCAL=1 bash {name}")


ENGINE = Engine("bash", "bash script (ssh or this host)", ".sh", render, parse, says, _commands,
                said_of_ssh)  # fmt: skip
