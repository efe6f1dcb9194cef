"""Of a plan its mappings and trees are exported as it decides them, on its machines' nodes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.allocation.choices import TaskChoice
from advisor.allocation.problem import Problem
from advisor.basics.host_list import Slot
from advisor.export import mapping_csv, openmpi, slurm_hostlist
from advisor.export import mrnet_topology as mrnet
from advisor.export.export_options import EVEN, Options
from advisor.export.export_record import PLAN
from advisor.export.of_plan import PARTS, mapped, mapping, part_of, source_of, tree, watched
from advisor.export.process_placement import MAPPING
from advisor.export.tree_on_hosts import TREE
from advisor.messages.mapping.orders import snake
from advisor.overlays.placed import placed_tree
from advisor.programs.remap import Remap
from advisor.trees import mrnet_trees as files
from machines import InputError
from machines.catalogue import interconnect
from tests.advisor.export.decided import BACKWARDS, decided
from tests.choosing import ALIGN, SPECTRA


def test_every_task_with_a_program_of_messages_has_the_nodes_that_the_plan_gives() -> None:
    planned = decided()
    assert mapped(planned.problem, planned.plan) == ("spectra", "align")
    spectra, align = (mapping(planned, name) for name in ("spectra", "align"))
    assert spectra.mapping == BACKWARDS
    assert align.mapping == snake(interconnect("alewife-1").network)
    assert (spectra.machine, align.machine) == ("alewife", "direct")


def test_what_nobody_chose_is_exported_as_it_would_run() -> None:
    planned = decided()
    bare = planned._replace(plan=planned.plan.bare())
    assert mapping(bare, "spectra").mapping == tuple(range(32))
    assert watched(bare.problem, bare.plan) == ("monitor",)
    assert tree(bare, "monitor").placed is not None


def test_the_nodes_that_swaps_find_are_those_that_the_cost_is_of() -> None:
    planned = decided()
    choices = (
        TaskChoice(SPECTRA, "mapping", "optimised"),
        TaskChoice(ALIGN, "mapping", "optimised"),
    )
    asked = planned._replace(plan=replace(planned.plan, choices=choices))
    nodes = mapping(asked, "spectra").mapping
    assert sorted(nodes) == list(range(32))
    said = replace(planned.plan, choices=(TaskChoice(SPECTRA, "mapping", nodes), choices[1]))
    costs = [planned.problem.settled(plan).costs.task_s for plan in (asked.plan, said)]
    assert costs[0][SPECTRA, 0] == costs[1][SPECTRA, 0]


def test_ranks_go_to_hosts_that_are_called_after_the_machine() -> None:
    subject = MAPPING.place(mapping(decided(), "spectra"), Options())
    slots = openmpi.parse_rankfile(openmpi.RANKFILE.text(subject))
    assert slots == tuple(Slot(f"alewife-{node}", 0) for node in BACKWARDS)
    assert openmpi.RANKFILE.said(subject) == (
        "The hosts alewife-0, … are made up after the machine: name your own under Hosts or with "
        "--hosts FILE.",
    )


def test_ranks_go_to_the_hosts_of_the_user_node_by_node() -> None:
    hosts = tuple((f"n{number}", 1) for number in range(32))
    subject = MAPPING.place(mapping(decided(), "spectra"), Options(hosts=hosts))
    rows = mapping_csv.EXPORT.text(subject).splitlines()
    assert rows[1] == '0,31,"n31",0,1'
    assert rows[-1] == '31,0,"n0",0,1'


def test_a_machine_whose_name_no_host_can_have_gives_a_plain_one() -> None:
    named = replace(mapping(decided(), "spectra"), machine="Größe 8×4 (α)")
    subject = MAPPING.place(named, Options())
    assert subject.hosts[-1] == "Gr-e-8-4-0"


def test_a_tree_is_on_the_machines_of_the_plan() -> None:
    planned = decided()
    source = tree(planned, "monitor")
    text = mrnet.EXPORT.text(TREE.place(source, Options()))
    (overlay,), (chosen,) = planned.problem.workload.overlays, planned.plan.overlays
    assert files.parse(text) == files.says(placed_tree(overlay, chosen), attach=False)
    assert text.count("svc:") == 2 * 8  # once below the front-end, once with its own children


def test_ranks_of_a_planned_tree_keep_its_order_with_even_indices() -> None:
    source = tree(decided(), "monitor")
    plain = TREE.place(source, Options())
    even = TREE.place(source, Options(first_index=EVEN))
    assert any("another rank" in note for note in mrnet.EXPORT.said(plain))
    assert not any("another rank" in note for note in mrnet.EXPORT.said(even))
    assert even.placed.hosts == plain.placed.hosts
    assert [int(even.placed.index[place]) for place in (0, 1, 8)] == [10, 10, 17]


def test_one_source_needs_no_name_and_several_need_one() -> None:
    planned = decided()
    of_tasks, of_overlays = PARTS
    assert source_of(of_overlays, planned).name == "monitor"
    assert source_of(of_tasks, planned, "align").machine == "direct"
    with pytest.raises(InputError, match=r"several tasks with a mapping.*--task NAME: spectra, al"):
        source_of(of_tasks, planned)
    with pytest.raises(InputError, match=r'--task.*got .*alin.*Did you mean "align"'):
        source_of(of_tasks, planned, "alin")


def test_a_plan_without_overlays_says_so() -> None:
    with pytest.raises(InputError, match=r"no overlay with a tree\. Give the workload an \[\[ov"):
        source_of(PARTS[1], decided(overlay=False))


def test_plans_hold_mappings_and_trees_and_no_plans() -> None:
    assert [part_of(kind) for kind in (MAPPING, TREE, PLAN)] == [*PARTS, None]


def test_threads_of_a_program_are_cores_of_its_ranks() -> None:
    planned = decided()
    workload = planned.problem.workload
    tasks = [*workload.tasks]
    program = tasks[SPECTRA].program
    assert isinstance(program, Remap)
    tasks[SPECTRA] = replace(tasks[SPECTRA], program=replace(program, threads=4))
    problem = Problem.of(planned.problem.platform, replace(workload, tasks=tuple(tasks)))
    named = mapping(planned._replace(problem=problem), "spectra")
    hosts = tuple((f"n{number}", 4) for number in range(32))
    subject = MAPPING.place(named, Options(hosts=hosts))
    assert openmpi.RANKFILE.text(subject).startswith("rank 0=n31 slot=0-3\nrank 1=n30 slot=0-3\n")
    assert "--cpus-per-task=4 " in slurm_hostlist.EXPORT.commands(subject, "f")[0]
    in_turn = MAPPING.place(replace(named, mapping=tuple(range(32))), Options())
    assert "--map-by ppr:1:node:PE=4 " in openmpi.HOSTFILE.commands(in_turn, "f")[0]
    assert MAPPING.place(named, Options(hosts=hosts, threads=2)).threads == 2
    assert "a process of 4 threads on each node" in replace(program, threads=4).words()
