"""Exports that carry a plan out: one of each engine (`advisor.engines`)."""

from __future__ import annotations

from advisor.allocation.plan_jobs import Jobs
from advisor.basics.quantities import duration, few
from advisor.engines.engine import Engine
from advisor.engines.registry import ENGINES
from advisor.export.export_record import PLAN, Export, Planned
from machines.catalogue.runtimes import RUNTIMES, preset_of
from machines.runtime import SLOT

_SHOWN = 5


def export_of(engine: Engine) -> Export[Planned]:
    """The export that carries plans out with this engine."""
    return Export(
        engine.name,
        engine.title,
        engine.suffix,
        PLAN,
        lambda planned: engine.render(planned.jobs),
        engine.parse,
        lambda planned: engine.says(planned.jobs),
        lambda planned, file: engine.commands(planned.jobs, file),
        lambda planned: (
            *engine.notes(planned.jobs),
            *(_lacking(planned.jobs) if engine.has_commands else ()),
            *_runtime(engine, planned),
        ),
        stem=engine.stem,
        runs=True,
    )


def _lacking(jobs: Jobs) -> tuple[str, ...]:
    """What is said of tasks without a command."""
    lacking = jobs.without_command
    if not lacking:
        return ()
    named = few(lacking, _SHOWN, lambda job: job.name)
    return (f"No command is stated for {named}: fill in the marked places",)


def _runtime(engine: Engine, planned: Planned) -> tuple[str, ...]:
    """What is said of a plan that was predicted for a preset of another engine.

    A runtime of one's own, learnt or stated, is taken to be that of the engine.
    """
    name = engine.name.partition("-")[0]  # files beside it have its name in front
    found = preset_of(planned.problem.platform.runtime)
    if name not in RUNTIMES.names() or found in ("", name):
        return ()
    own = RUNTIMES.load(name).runtime
    data = "while it holds its cores" if own.fetch == SLOT else "ahead"
    return (
        f'Predicted with the runtime "{found}"; {name} takes about '
        f"{duration(own.task_overhead_s)} a task, which fetches its data {data}: predict with "
        f"--runtime {name}",
    )


ENGINE_EXPORTS: tuple[Export[Planned], ...] = tuple(
    export_of(engine) for engine in ENGINES.values()
)
