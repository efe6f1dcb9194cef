"""Exports that carry a plan out: one of each engine (`advisor.engines`)."""

from __future__ import annotations

from advisor.engines.engine import Engine
from advisor.engines.jobs import Jobs, jobs_of
from advisor.engines.registry import ENGINES
from advisor.export.export import Export
from advisor.export.planned import PLAN, Planned

_SHOWN = 5


def _export(engine: Engine) -> Export[Planned]:
    def jobs(planned: Planned) -> Jobs:
        return jobs_of(*planned)

    return Export(
        engine.name,
        engine.title,
        engine.suffix,
        PLAN,
        lambda planned: engine.render(jobs(planned)),
        engine.parse,
        lambda planned: engine.says(jobs(planned)),
        lambda planned, file: engine.commands(jobs(planned), file),
        lambda planned: (
            *engine.notes(jobs(planned)),
            *(_lacking(jobs(planned)) if engine.has_commands else ()),
        ),
        stem=engine.stem,
    )


def _lacking(jobs: Jobs) -> tuple[str, ...]:
    """What is said of tasks without a command."""
    lacking = jobs.without_command
    if not lacking:
        return ()
    named = ", ".join(job.name for job in lacking[:_SHOWN])
    more = f" and {len(lacking) - _SHOWN:,} more" if len(lacking) > _SHOWN else ""
    return (f"No command is stated for {named}{more}: fill in the marked places",)


ENGINE_EXPORTS: tuple[Export[Planned], ...] = tuple(_export(engine) for engine in ENGINES.values())
