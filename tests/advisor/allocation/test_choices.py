"""What plans choose about tasks: kept in order, put into programs, stored, and moved along."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.allocation.choices import (
    TaskChoice,
    check_chosen,
    choices_from,
    choices_table,
    choosable,
    chosen,
    chosen_task,
    kept_choices,
    of_task,
    open_choices,
    ordered,
    reindexed,
    with_choice,
)
from advisor.allocation.workload import Task, Workload
from advisor.messages.styles import ASYNCHRONOUS, NON_BLOCKING, SHORT, SYNCHRONOUS, Style
from advisor.programs.choices.program_choice import CHOOSE
from advisor.programs.diamond_program import DiamondDag
from advisor.programs.remap import Remap
from machines import InputError, Machine
from machines.catalogue import interconnect

REMAP = Task("remap", program=Remap(10, 64.0, completion=CHOOSE, transport=CHOOSE))
WAVE = Task("wave", program=DiamondDag(n=64, element_s=1e-6, mapping="snake"))
PLAIN = Task("plain", work=1.0)
WORKLOAD = Workload("w", (REMAP, WAVE, PLAIN))
SLOW, QUICK = Style(SYNCHRONOUS, SHORT), Style(ASYNCHRONOUS, NON_BLOCKING)
CHOICES = (TaskChoice(0, "style", QUICK), TaskChoice(1, "block", 4))


def test_what_may_be_chosen_and_what_is_open() -> None:
    assert [one.name for one in choosable(REMAP)] == ["style", "mapping"]
    assert [one.name for one in choosable(WAVE)] == ["mapping", "block"]
    assert choosable(PLAIN) == ()
    assert [one.name for one in open_choices(WAVE)] == ["block"]
    assert [one.name for one in open_choices(REMAP)] == ["style", "mapping"]


def test_choices_lie_by_task_and_name_and_the_last_one_holds() -> None:
    many = (TaskChoice(1, "block", 2), *CHOICES, TaskChoice(0, "mapping", "snake"))
    assert ordered(many) == (TaskChoice(0, "mapping", "snake"), *CHOICES)
    assert of_task(ordered(many), 0) == {"mapping": "snake", "style": QUICK}
    assert of_task((), 0) == {}


def test_a_choice_is_replaced_added_and_taken_back() -> None:
    assert with_choice(CHOICES, 0, "style", SLOW)[0] == TaskChoice(0, "style", SLOW)
    assert len(with_choice(CHOICES, 1, "mapping", "gray")) == 3
    assert with_choice(CHOICES, 0, "style", None) == CHOICES[1:]
    assert with_choice(CHOICES, 2, "style", None) == CHOICES


def test_chosen_programs_do_what_was_chosen_and_the_rest_is_the_same() -> None:
    found = chosen(WORKLOAD, CHOICES)
    assert found.tasks[0].program.style == QUICK
    assert found.tasks[1].program.blocks == 4
    assert found.tasks[2] is PLAIN
    assert chosen(WORKLOAD, ()) is WORKLOAD
    assert chosen_task(WAVE, {}) is WAVE


@pytest.mark.parametrize(
    ("task", "choices", "words"),
    [
        (PLAIN, {"style": QUICK}, "no program"),
        (WAVE, {"style": QUICK}, "no such choice"),
        (WAVE, {"block": 65}, "no more blocks than columns"),
    ],
)
def test_what_a_task_can_not_choose_is_refused_with_its_name(
    task: Task, choices: dict[str, object], words: str
) -> None:
    with pytest.raises(InputError, match=words) as caught:
        chosen_task(task, choices)
    assert f'"{task.name}"' in caught.value.where


def test_files_hold_choices_by_name() -> None:
    table = choices_table(CHOICES, WORKLOAD)
    assert table == {"remap": {"style": "asynchronous-long-non-blocking"}, "wave": {"block": 4}}
    assert choices_from(table, WORKLOAD) == CHOICES


def test_choices_that_still_make_sense_stay_when_a_task_changes() -> None:
    narrow = replace(WAVE, program=DiamondDag(n=3, element_s=1e-6))
    assert kept_choices(CHOICES, 1, narrow) == CHOICES[:1]
    assert kept_choices(CHOICES, 0, narrow) == CHOICES[1:]
    assert kept_choices(CHOICES, 1, WAVE) == CHOICES
    assert kept_choices(CHOICES, 1, PLAIN) == CHOICES[:1]


def test_choices_follow_tasks_to_their_new_places() -> None:
    assert reindexed(CHOICES, {1: 0}) == (TaskChoice(0, "block", 4),)
    assert reindexed(CHOICES, {0: 0, 1: 5}) == (CHOICES[0], TaskChoice(5, "block", 4))


def test_a_choice_that_alone_keeps_a_task_from_its_machine_is_named_with_it() -> None:
    net = Machine("net", network=interconnect("alewife"))
    check_chosen(CHOICES, WORKLOAD, (net, net, net))
    odd = (TaskChoice(0, "mapping", (0, 0, 1)),)
    with pytest.raises(InputError) as caught:
        check_chosen(odd, WORKLOAD, (net, net, net))
    assert 'task "remap": mapping on net' in caught.value.where
    check_chosen(odd, WORKLOAD, (Machine("plain"), net, net))  # where it can't run anyway
    check_chosen((TaskChoice(2, "style", QUICK),), WORKLOAD, (net, net, net))
