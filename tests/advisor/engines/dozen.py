"""Twelve tasks on two machines, whose names, files and commands hold whatever a line may hold."""

from __future__ import annotations

from advisor.allocation.plan import Plan
from advisor.allocation.plan_jobs import Jobs, jobs_of
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.allocation.workload import Flow, Task, Workload
from machines import Direction, Link, Machine, Platform

MACHINES = ("M'1 $(x)", "-m2 {y} é")
CORES = (1, 2)
NAMES = (
    "-a", "it's", '"quoted"', "$(touch pwned)", "`touch pwned`", "{braces} {wildcards.x}",
    "back\\slash", "ünï 😀", "${HOME} $$ %s", "all", "class", "=1+1 # no; comment",
)  # fmt: skip
SIGNS = "\"double\" 'single' $dollar `tick` {brace} \\back %s é\nsecond line"

# what a job writes: its name, machine and cores, when it began and ended, and signs as they are
_COMMAND = """\
began=$(date +%s.%N)
{work}
printf '%s|%s|%s|%s|%s\\n' "$PLACEWISE_TASK" "$PLACEWISE_MACHINE" "$PLACEWISE_CORES" \
"$began" "$(date +%s.%N)" >> "$OUT/log"
cat >> "$OUT/signs" <<'END'
"""


def command(work: str = "sleep 0.05") -> str:
    """A command of several lines, with signs of all kinds."""
    return _COMMAND.replace("{work}", work) + SIGNS + "\nEND"


def jobs(*, with_commands: bool = True, work: str = "sleep 0.05") -> Jobs:
    """The jobs of a plan: four begin, four need one of them each, three need two, one needs all."""
    both = Direction(0.001, 1e6)
    platform = Platform(
        "two",
        tuple(Machine(name, cores=cores) for name, cores in zip(MACHINES, CORES, strict=True)),
        (Link(*MACHINES, both, both),),
    )
    tasks = tuple(
        Task(name, work=1.0 + 0.1 * place, cores=2 if place == 4 else 1,
             kind="it's {a} kind" if place < 8 else "",
             command=command(work) if with_commands else "")
        for place, name in enumerate(NAMES)
    )  # fmt: skip
    pairs = [(one, one + 4) for one in range(4)]
    pairs += [(one, 8 + one % 3) for one in range(4, 8)] + [(4, 8), (8, 11), (9, 11), (10, 11)]
    flows = tuple(Flow(NAMES[one], NAMES[other], ((1, 1000.0),)) for one, other in pairs)
    problem = Problem.of(platform, Workload("a $(dozen) 'of' {tasks}", tasks, flows))
    plan = Plan(tuple(int(place % 3 > 0) for place in range(len(NAMES))))
    return jobs_of(problem, plan, predict(problem, plan))
