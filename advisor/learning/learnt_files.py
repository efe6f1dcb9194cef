"""Workload and platform files of what was learnt, which say at their heads what was, and whence.

The numbers stand in the fields that the formats have; spreads and sources stand in comments.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from advisor.allocation.workload import Workload
from advisor.learning.lesson import Lesson
from advisor.project.workload_file import dump_workload
from advisor.runs.record import Run
from advisor.runs.record_csv import render
from machines import Platform
from machines.errors import visible
from machines.formats.platform_toml import dump_platform

_MOST_ROWS = 2000  # figures of a lesson in a file; more are counted
_OF_WORKLOAD = ("times",)


def learnt_texts(
    platform: Platform, workload: Workload, lessons: Iterable[Lesson], runs: Sequence[Run]
) -> dict[str, str]:
    """File name → text: workload.toml, platform.toml and the runs that taught them, run.csv."""
    learnt = [lesson for lesson in lessons if lesson.learnt]
    tasks = [lesson for lesson in learnt if lesson.name in _OF_WORKLOAD]
    others = [lesson for lesson in learnt if lesson.name not in _OF_WORKLOAD]
    by_times = [lesson for lesson in tasks if lesson.platform != platform]
    return {
        "workload.toml": _head(tasks, runs) + dump_workload(workload),
        "platform.toml": _head([*others, *_speeds_alone(by_times, others)], runs)
        + dump_platform(platform),
        "run.csv": render(runs),
    }


def _speeds_alone(tasks: list[Lesson], others: list[Lesson]) -> list[Lesson]:
    """The lessons on tasks that set speeds, where no lesson on speeds says so."""
    return [] if any(lesson.name == "speeds" for lesson in others) else tasks


def _head(lessons: Sequence[Lesson], runs: Sequence[Run]) -> str:
    """Comments: the runs, then every lesson with its figures and notes."""
    names = ", ".join(run.name or "a run" for run in runs[:8])
    more = f" and {len(runs) - 8} more" if len(runs) > 8 else ""
    lines = [f"Calibrated by `placewise learn` from {names}{more}; see docs/learning.md"]
    for lesson in lessons:
        lines += ["", f"{lesson.title}: {lesson.sentence}"]
        lines += [f"note: {note}" for note in lesson.notes]
        lines += [" | ".join(row) for row in (lesson.header, *lesson.rows[:_MOST_ROWS])]
        if len(lesson.rows) > _MOST_ROWS:
            lines.append(f"… {len(lesson.rows) - _MOST_ROWS:,} more")
    return "".join(f"# {visible(line)}".rstrip() + "\n" for line in lines) + "\n"
