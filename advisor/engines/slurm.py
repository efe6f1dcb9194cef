"""Slurm: a script that submits the plan, a job a task, on the plan's nodes and in its order.

The order of a machine is kept by ``afterany`` on the job whose cores a job takes over, what a task
needs by ``afterok``. Tried against priorities by ``--nice``: the gaps between jobs are the same,
and a priority lets a later job pass one that still waits for data. Jobs that wait for nothing are
held until all are submitted, so that a submission that fails leaves nothing behind. Slurm 22.05.
"""

from __future__ import annotations

import shlex

from advisor.engines.engine import Engine
from advisor.engines.jobs import CORES_VARIABLE, MACHINE_VARIABLE, TASK_VARIABLE, Jobs, is_host
from advisor.engines.shell import (
    FETCHED_VARIABLE,
    after_functions,
    comment,
    named,
    number,
    plan_name,
    statement,
    statements,
)
from advisor.engines.shell_functions import RECORD
from advisor.engines.slurm_units import AFTER_ANY, AFTER_OK, JOB_OVERHEAD_S, units_of
from machines.errors import InputError

_NODE = "[A-Za-z0-9_][A-Za-z0-9._-]*"
_SUBMIT = r"""
carry() { # slug, task, command: on its node, in its job
    local start end status state=ok
    rm -f "$folder/$1.fetched"
    start=$(now)
    @TASK@=$2 @FETCHED@=$folder/$1.fetched bash -c "$3" </dev/null >"$folder/$1.log" 2>&1
    status=$?
    end=$(now)
    ((status == 0)) || state=failed
    add "$2" "$@MACHINE@" "$start" "$end" "$state" "$folder/$1.fetched"
    return "$status"
}
plan() { # name: of folder and record
    name=$1 folder=$PWD/$1.run record=${PLACEWISE_RECORD:-$PWD/$1.csv}
}
node() { # slug, machine, Slurm's name of it
    machine[$1]=$2 node[$1]=$3
    [[ $3 =~ ^@NODE@$ ]] || refuse "Slurm has no node \"$3\": write its name in the line \"node\""
}
job() { # slug of the machine, cores, what it waits for; its tasks follow and run in turn
    units+=("job $1 $2 $3")
}
array() { # the same; its tasks run side by side
    units+=("array $1 $2 $3")
}
task() { # slug, name, command
    local unit=$((${#units[@]} - 1))
    members[$unit]+="$1 "
    title[$1]=$2 command[$1]=$3
    [ -n "$3" ] || refuse "no command is stated for task $2: write it at the end of its line"
}
refuse() {
    printf 'placewise: %s\n' "$1" >&2
    wrong=1
}
script() { # number: the text of a job
    local kind on cores waits slug element=0
    read -r kind on cores waits <<<"${units[$1]}"
    echo '#!/bin/bash'
    declare -f now seconds cell add carry
    echo "folder=$(quoted "$folder") record=$(quoted "$record")"
    echo "export @MACHINE@=$(quoted "${machine[$on]}") @CORES@=$cores"
    for slug in ${members[$1]}; do
        [ "$kind" = job ] || echo "[ \"\$SLURM_ARRAY_TASK_ID\" != $element ] ||"
        echo "{ carry $slug $(quoted "${title[$slug]}") $(quoted "${command[$slug]}") || exit; }"
        element=$((element + 1))
    done
    echo 'exit 0'
}
send() { # number
    local kind on cores waits one first count found options=() gate=""
    read -r kind on cores waits <<<"${units[$1]}"
    read -r first _ <<<"${members[$1]}"
    count=$(wc -w <<<"${members[$1]}")
    for one in $waits; do gate+=",${one%%:*}:${id[${one#*:}]}"; done
    options=(--parsable --nodes=1 --ntasks=1 --nodelist="${node[$on]}" --cpus-per-task="$cores"
        --job-name="${title[$first]}" --output="$name.run/slurm-%A.out")
    ((count == 1)) || options+=(--comment="$count tasks")
    [ "$kind" = job ] || options+=(--array="0-$((count - 1))")
    if [ -n "$gate" ]; then
        options+=(--dependency="${gate#,}" --kill-on-invalid-dep=yes)
    else
        options+=(--hold)
    fi
    found=$(script "$1" | sbatch "${options[@]}") || return
    found=${found%%;*}
    submitted+=("$found")
    [ -n "$gate" ] || held+=("$found")
    count=0
    for one in ${members[$1]}; do
        id[$one]=$found
        [ "$kind" = job ] || id[$one]+=_$count
        count=$((count + 1))
    done
}
withdraw() {
    local status=$?
    trap '' INT TERM
    ((${#submitted[@]})) && scancel "${submitted[@]}"
    echo 'placewise: the plan is not submitted; what was submitted is cancelled' >&2
    exit "$((status ? status : 1))"
}
submit() {
    local unit
    ((wrong == 0)) || exit 2
    rm -f "$folder/run"
    begin
    trap withdraw EXIT
    trap 'exit 130' INT TERM
    for unit in "${!units[@]}"; do send "$unit" || exit; done
    scontrol release "$(IFS=,; echo "${held[*]}")" || exit
    trap - EXIT INT TERM
    printf '%s\n' "${submitted[@]}" >"$folder/jobs"
    printf 'placewise: %d jobs are submitted; record: %s\n' "${#submitted[@]}" "$record"
    printf 'placewise: cancel them by: scancel $(cat %s)\n' "$(quoted "$folder/jobs")"
}
declare -a units=() submitted=() held=() members=()
declare -A machine=() node=() title=() command=() id=()
wrong=0
"""
for _sign, _text in (("@TASK@", TASK_VARIABLE), ("@MACHINE@", MACHINE_VARIABLE), ("@NODE@", _NODE),
                     ("@CORES@", CORES_VARIABLE), ("@FETCHED@", FETCHED_VARIABLE)):  # fmt: skip
    _SUBMIT = _SUBMIT.replace(_sign, _text)
_FUNCTIONS = RECORD + _SUBMIT
_HEAD = """
Run it where sbatch works, in a folder that all nodes see and in which the commands work:

    bash FILE

Partition, account, time limit and memory are Slurm's variables, for example SBATCH_PARTITION,
SBATCH_ACCOUNT, SBATCH_TIMELIMIT, SBATCH_MEM_PER_CPU. PLACEWISE_RECORD names the run record, logs of
tasks are in the folder *.run. Nodes, the last words of the lines "node", and commands, the last
words of the lines "task", may be edited."""
_ASKED = "No command is stated for the next task: write it between the quotes at the line's end"


def render(jobs: Jobs) -> str:
    """The script of a plan."""
    slugs = {name: slug for name, slug, _ in jobs.machines}
    lines = ["#!/bin/bash\n", comment(f"Submits a plan of “{jobs.name}” to Slurm.{_HEAD}"),
             _FUNCTIONS, "\n", statement("plan", plan_name(jobs, says(jobs)))]  # fmt: skip
    lines += [statement("node", slug, name, name) for name, slug, _ in jobs.machines]
    for unit in units_of(jobs):
        first = jobs.jobs[unit.jobs[0]]
        waits = " ".join(f"{kind}:{slug}" for kind, slug in unit.waits)
        kind = "array" if unit.array else "job"
        lines.append(statement(kind, slugs[first.machine], first.cores, waits))
        for job in (jobs.jobs[at] for at in unit.jobs):
            if not job.command:
                lines.append(comment(_ASKED))
            lines.append(statement("task", job.slug, job.name, job.command))
    lines.append("submit\n")
    return "".join(lines)


def parse(text: str) -> object:
    """The jobs as they are submitted: machine, cores, what they wait for, their tasks."""
    found = statements(after_functions(text, _FUNCTIONS))
    places: dict[str, str] = {}
    names: dict[str, str] = {}
    units: list[tuple[str, str, int, frozenset[object], list[tuple[str, str]]]] = []
    for words in found[:-1]:
        match words:
            case ("plan", _):
                pass
            case ("node", slug, name, _):
                places[slug] = name
            case ("job" | "array" as kind, slug, cores, waits):
                (machine,) = named(places, [slug])
                units.append((kind, machine, number(cores), _waits(waits, names), []))
            case ("task", slug, name, command) if units:
                names[slug] = name
                units[-1][-1].append((name, command))
            case _:
                raise InputError("no statement of the script", value=" ".join(words))
    if not found or found[-1] != ("submit",):
        raise InputError("the script is cut", remedy='Its last line is "submit"')
    return tuple((*unit, tuple(tasks)) for *unit, tasks in units)


def _waits(text: str, names: dict[str, str]) -> frozenset[object]:
    pairs = [word.partition(":") for word in text.split()]
    for kind, _, _ in pairs:
        if kind not in {AFTER_OK, AFTER_ANY}:
            raise InputError("no way to wait for a job", value=kind)
    return frozenset((kind, *named(names, [slug])) for kind, _, slug in pairs)


def says(jobs: Jobs) -> tuple[object, ...]:
    """What the script must say."""
    names = {job.slug: job.name for job in jobs.jobs}
    return tuple(
        (
            "array" if unit.array else "job",
            jobs.jobs[unit.jobs[0]].machine,
            jobs.jobs[unit.jobs[0]].cores,
            frozenset((kind, names[slug]) for kind, slug in unit.waits),
            tuple((jobs.jobs[at].name, jobs.jobs[at].command) for at in unit.jobs),
        )
        for unit in units_of(jobs)
    )


def _notes(jobs: Jobs) -> tuple[str, ...]:
    """What differs from the plan."""
    notes = []
    grouped = sum(len(unit.jobs) for unit in units_of(jobs) if len(unit.jobs) > 1 > unit.array)
    if grouped:
        notes.append(
            f"{grouped} tasks shorter than {JOB_OVERHEAD_S:g} s, what Slurm takes for a job, "
            "run in turn in jobs of several tasks; nothing waits longer for it"
        )
    if any(cores > 1 for _, _, cores in jobs.machines):
        notes.append("On nodes of several cores Slurm chooses which cores a task gets")
    odd = [name for name, _, _ in jobs.machines if not is_host(name)]
    if odd:
        remedy = "write Slurm's name for it at the end of its line in the script"
        notes.append(f"Slurm can have no node “{odd[0]}”: {remedy}")
    return tuple(notes)


def _commands(_jobs: Jobs, file: str) -> tuple[str, ...]:
    where = "where sbatch works, in a folder that all nodes see"
    return (f"Slurm: bash {shlex.quote(file)}   ({where})",)


ENGINE = Engine("slurm", "Slurm jobs", ".sh", render, parse, says, _commands, _notes)
