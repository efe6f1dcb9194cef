"""Lesson: how quick machines are against each other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from advisor.basics.quantities import count, number, percent, slowdown
from advisor.learning.calibration import Calibration, some_of
from advisor.learning.ratios import BY_KINDS, BY_TASKS, Ratio, Ratios, Unclear, ratios
from advisor.learning.run_evidence import Evidence
from machines import Platform

NAME, TITLE = "speeds", "Machine speeds"
HEADER = ("Machine", "Speed", "Was", "Time against", "Ratio", "Low", "High", "From")
_WIDE = 0.25  # half a range over its middle, above which one factor says little


def speeds(evidence: Evidence) -> Calibration:
    """A machine's speed by the median ratio of its times to those of the reference machine.

    speed(m) = speed(reference) / median of t(task, m)/t(task, reference) over tasks on both
    (`advisor.learning.ratios`). The reference keeps its own.
    """
    problem = evidence.problem
    learnt = ratios(evidence)
    platform = with_speeds(problem.platform, learnt)
    rows = tuple(_row(evidence, one, platform) for one in learnt.known)
    notes = list(evidence.left_out)
    lost = [evidence.names[place] for place in learnt.unreached]
    if lost:
        notes.append(f"Not comparable with the others: {', '.join(lost)}")
    if not learnt.known:
        text = "; ".join(_doubt(evidence, one) for one in learnt.unclear) or (
            "Speeds can't be determined: no two machines ran three tasks in common, or one kind "
            "three "
            "times each; and one factor a machine does not explain how far times are from what "
            "the workload states"
        )
        return Calibration(NAME, TITLE, text, HEADER, (), problem.platform, problem.workload,
                      tuple(notes), learnt=False)  # fmt: skip
    stated = sum(bool(task.seconds) for task in problem.workload.tasks)
    if stated:
        notes.append(
            f"{count(stated, 'task')} of the workload state seconds by machine: their times stay"
        )
    said = [_said(evidence, one, platform) for one in learnt.known]
    notes += [_doubt(evidence, one) for one in learnt.unclear]
    return Calibration(
        NAME,
        TITLE,
        some_of(said, "machine"),
        HEADER,
        rows,
        platform,
        problem.workload,
        tuple(notes),
    )


def with_speeds(platform: Platform, learnt: Ratios) -> Platform:
    """The platform with the speeds that ratios give, against the speed of their reference."""
    base = platform.machines[learnt.reference].speed
    return replace(
        platform,
        machines=tuple(
            replace(machine, speed=float(base / factor))
            if np.isfinite(factor) and place != learnt.reference
            else machine
            for place, (machine, factor) in enumerate(
                zip(platform.machines, learnt.factor.tolist(), strict=True)
            )
        ),
    )


def _doubt(evidence: Evidence, one: Unclear) -> str:
    """What the runs can't tell apart, and the run that would."""
    names, tasks = evidence.names, evidence.problem.workload.tasks
    swap = ", ".join(f"{tasks[task].name} on {names[machine]}" for task, machine in one.swap)
    return (
        f"Whether {names[one.machine]} is slower than {names[one.against]} or had the larger tasks "
        f"is open: tasks of one kind differ by {slowdown(one.apart)} on one machine, and too few "
        f"ran on both. The stated speeds stay; a run with {swap} would tell"
    )


def _row(evidence: Evidence, one: Ratio, platform: Platform) -> tuple[str, ...]:
    machine = platform.machines[one.machine]
    was = evidence.problem.platform.machines[one.machine].speed
    return (
        machine.name, number(machine.speed), number(was), evidence.names[one.against],
        slowdown(one.factor), slowdown(one.low), slowdown(one.high), _from(one),
    )  # fmt: skip


def _from(one: Ratio) -> str:
    if one.by == BY_TASKS:
        return count(one.count, "task on both", "tasks on both")
    if one.by == BY_KINDS:
        return count(one.count, "kind on both", "kinds on both")
    return f"{one.count} tasks or more on each, against what the workload states"


def _said(evidence: Evidence, one: Ratio, platform: Platform) -> str:
    machine = platform.machines[one.machine]
    was = evidence.problem.platform.machines[one.machine].speed
    text = (
        f"{machine.name} takes {slowdown(one.factor)} as long as {evidence.names[one.against]} "
        f"({_from(one)}; {slowdown(one.low)} to {slowdown(one.high)}): speed "
        f"{number(machine.speed)}, was {number(was)}"
    )
    if one.odd:
        some = ", ".join(f"{slowdown(own)} for {kind}" for kind, own in one.odd[:3])
        text += f", but {some}: no one factor tells all kinds"
    elif (one.high - one.low) / 2.0 > _WIDE * one.factor:
        text += f", but tasks differ by ± {percent((one.high - one.low) / 2.0 / one.factor)}"
    return text
