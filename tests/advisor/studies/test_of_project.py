"""Studies as close looks: they say what the project's prediction says, and give their answer back.

The truth is the program's own cost on its machine, the overlay's own measures and the plan as it
is after the answer is in it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from advisor.allocation.choices import of_task, with_choice
from advisor.allocation.predict import predict
from advisor.allocation.workload import Task
from advisor.messages.styles import STYLES, Style
from advisor.overlays.placed import check_placed
from advisor.programs.choices.style import STYLE
from advisor.programs.diamond_program import DiamondDag
from advisor.programs.em3d import Em3d
from advisor.programs.remap import Remap
from advisor.project.project import Project
from advisor.project.project_edits import remove_tasks, with_task
from advisor.project.study_case import Subject
from advisor.scaling.law import Scaling, speedups
from advisor.studies import STUDIES
from advisor.studies.of_project import (
    figures_of,
    inputs_of,
    new_case,
    obstacle,
    opening,
    parameters_for,
    subject_of,
    subjects,
    used,
    verb_of,
)
from advisor.studies.study import StudyResult, Use
from machines import InputError
from tests.campaign import campaign

DATA = "P,time (s)\n1,100\n2,52\n4,28\n8,16\n16,10\n"
FFT, ALIGN, WATER, FLOW, REPORT = (
    Subject("task", name) for name in ("fft", "align", "water", "flow", "report")
)
MONITOR = Subject("overlay", "monitor")


def asked(
    project: Project, study: str, subject: Subject | None, **settings: str
) -> tuple[object, StudyResult]:
    """The parameters with which a study opens on a subject, and its answer."""
    case = new_case(project, STUDIES[study], subject)
    case = replace(case, settings=tuple((dict(case.settings) | settings).items()))
    given = [f"{key}={value}" for key, value in case.settings]
    problem = project.problem() if STUDIES[study].needs_problem else None
    parameters = parameters_for(STUDIES[study], given, project, problem)
    return parameters, STUDIES[study].run(parameters)


def answer(project: Project, study: str, subject: Subject | None, **settings: str) -> Use:
    """What using the answer makes of the project."""
    return used(project, STUDIES[study], subject, *asked(project, study, subject, **settings))


def choices(project: Project, subject: Subject) -> dict[str, object]:
    return dict(of_task(project.plan.choices, project.workload.index[subject.name]))


def test_every_study_knows_what_it_can_look_at() -> None:
    found = {name: [one.name for one in subjects(campaign(), STUDIES[name])] for name in STUDIES}
    machines = ["grid", "ws", "node", "svc"]
    assert found == {
        "allocation": [], "decision-map": [], "what-if": [], "sharing": [],
        "styles": ["fft", *machines], "mapping": ["fft", "align", *machines],
        "blocks": ["align", *machines], "trees": ["monitor"],
        "scaling": ["flow", "report"], "shared_memory": ["water"],
    }  # fmt: skip


@pytest.mark.parametrize(
    "program",
    [
        Remap(100, 256.0, 1e-5, "shift", reach=3),
        Remap(7, 100.0, 0.0, "hotspot", share=0.3, mapping="snake", processes=5),
        Em3d(nodes=320, degree=8, nonlocal_share=0.5, edge_s=1e-7, iterations=3),
    ],
)
@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.name)
def test_styles_opens_with_what_the_task_takes_in_every_style(
    program: Remap | Em3d, style: Style
) -> None:
    plain = replace(program, completion=style.completion, transport=style.transport)
    project = with_task(campaign(), 0, Task("fft", program=plain))
    parameters, result = asked(project, "styles", FFT)
    machine = project.platform.machines[0]
    table = result.tables[0]
    (row,) = (row for row in table.rows if row[0] == style.name)
    each = row[[name for name, _ in table.columns].index("time per message")]
    assert isinstance(each, float)
    sent = program.sent(8 if program.processes is None else program.processes)
    assert machine.network is not None
    seconds = each * sent * machine.network.unit_s
    assert seconds == pytest.approx(plain.cost(machine).seconds)
    assert inputs_of(type(parameters), project)["open_platform"] is project.platform


def test_the_style_that_is_advised_goes_into_the_plan() -> None:
    use = answer(campaign(), "styles", FFT)
    style = choices(use.project, FFT)["style"]
    assert isinstance(style, Style)
    assert use.text == f"Use {style.name} messages for fft"
    seconds = {}
    for one in STYLES:
        plan = replace(campaign().plan, choices=with_choice((), 0, "style", one))
        seconds[one] = predict(campaign().problem(), plan).task_s[0]
    assert seconds[style] == pytest.approx(min(seconds.values()))
    assert predict(use.project.problem(), use.project.plan).task_s[0] == seconds[style]


def test_styles_opens_with_what_the_plan_chooses() -> None:
    choice = with_choice((), 0, "mapping", "snake")
    project = replace(campaign(), plan=replace(campaign().plan, choices=choice))
    assert opening(project, STUDIES["styles"], FFT)["mapping"] == "snake"


def test_mapping_opens_with_the_bytes_that_the_program_moves() -> None:
    parameters, result = asked(campaign(), "mapping", FFT, seconds="0.01")
    traffic = result.pictures[0].communication  # type: ignore[attr-defined]
    assert (traffic.processes, traffic.total_bytes) == (8, 8 * 100 * 256.0)
    pairs = set(zip(traffic.sources.tolist(), traffic.targets.tolist(), strict=True))
    assert pairs == {(one, (one + 3) % 8) for one in range(8)}
    use = used(campaign(), STUDIES["mapping"], FFT, parameters, result)
    nodes = choices(use.project, FFT)["mapping"]
    assert nodes == result.answer
    assert use.text == "Use the mapping found for fft"
    predict(use.project.problem(), use.project.plan)


def test_an_order_goes_into_the_plan_by_its_name() -> None:
    settings = {"own": "", "seconds": "0.01", "objective": "hop-bytes"}
    parameters, result = asked(campaign(), "mapping", ALIGN, **settings)
    result = replace(result, answer=(0, 1, 2, 3, 7, 6, 5, 4))
    use = used(campaign(), STUDIES["mapping"], ALIGN, parameters, result)
    assert choices(use.project, ALIGN) == {"mapping": "snake"}
    assert use.text == "Use snake mapping for align"


def test_blocks_opens_with_the_wavefront_and_gives_its_best_blocks_back() -> None:
    project = campaign()
    program, machine = project.workload.tasks[1].program, project.platform.machines[0]
    assert isinstance(program, DiamondDag)
    parameters, result = asked(project, "blocks", ALIGN)
    assert result.answer == program.best_blocks(machine)
    assert result.facts[0].value * 5e-8 == pytest.approx(program.cost(machine).seconds)
    use = used(project, STUDIES["blocks"], ALIGN, parameters, result)
    assert choices(use.project, ALIGN) == {"block": result.answer}
    assert use.text == f"Use {result.answer} blocks for align"
    own = answer(project, "blocks", ALIGN, blocks="16")
    assert choices(own.project, ALIGN) == {"block": 16}


def test_trees_opens_with_the_overlay_and_gives_tree_and_placement_back() -> None:
    project = campaign()
    settings = opening(project, STUDIES["trees"], MONITOR)
    assert settings["back_ends"] == "8"
    assert settings["hosts"] == "node:8"
    assert settings["front_end"] == "svc"
    assert settings["internal_hosts"] == "grid:4\nws:1\nnode:16\nsvc:4"
    assert (settings["host_cores"], settings["rate"]) == ("16", "50.0")
    # a quarter of a startup of 100 µs at either end, half of it on the way, 10 ns a byte
    assert (settings["overhead"], settings["latency"]) == ("25.0", "50.0")
    assert settings["gap_per_byte"] == "10.0"
    use = answer(project, "trees", MONITOR, shape="balanced", fanout="4")
    (plan,) = use.project.plan.overlays
    assert plan is not None
    assert plan.tree.internal == len(plan.internal) == 2
    assert use.text == "Use 2×4 tree for monitor"
    check_placed(project.platform, project.workload.overlays[0], plan)
    predict(use.project.problem(), use.project.plan)


def test_scaling_opens_with_the_law_of_the_task_and_gives_its_processors_back() -> None:
    parameters, result = asked(campaign(), "scaling", FLOW)
    law = Scaling(sigma=0.05, kappa=0.001)
    drawn = next(one for one in result.series if one.name.startswith("USL"))
    expected = speedups(law, np.array(drawn.x, dtype=np.int64))
    assert drawn.y == pytest.approx(expected.tolist())
    use = used(campaign(), STUDIES["scaling"], FLOW, parameters, result)
    assert use.project.plan.counts(campaign().workload) == {"flow": result.answer}
    assert use.text == f"Use {result.answer} processors for flow"
    # 16 cores, and the law's peak is at √(0.95/0.001) = 31
    assert result.answer == 16


def test_measured_scaling_makes_an_ordinary_task_scale() -> None:
    use = answer(campaign(), "scaling", REPORT, data=DATA, replicates="0")
    task = use.project.workload.tasks[4]
    assert task.scaling is not None
    assert task.on(2).work == pytest.approx(8.0)  # what it was on its two cores
    gains = speedups(task.scaling, [1, 2, 4, 8, 16])
    assert gains.tolist() == pytest.approx([1.0, 100 / 52, 100 / 28, 100 / 16, 10.0], rel=0.02)
    assert use.project.plan.counts(use.project.workload)["report"] == 16
    assert use.text == "Use measured scaling for report"


def test_measured_times_make_a_task_of_their_own(tmp_path: Path) -> None:
    file = tmp_path / "solver.csv"
    file.write_text(DATA, encoding="utf-8")
    use = answer(campaign(), "scaling", None, source="data", data=str(file), replicates="0")
    task = use.project.workload.tasks[-1]
    assert task.name == "solver"
    assert task.work == pytest.approx(100.0, rel=0.02)
    assert len(use.project.plan.allocation) == 6
    assert verb_of(STUDIES["scaling"], None) == "Use as task"


def test_speedups_alone_make_no_task() -> None:
    data = "P,speedup\n1,1\n2,1.9\n4,3.6\n8,6.4\n"
    with pytest.raises(InputError, match="the time of a task is unknown"):
        answer(campaign(), "scaling", None, source="data", data=data, replicates="0")
    scaled = answer(campaign(), "scaling", REPORT, data=data, replicates="0")
    assert scaled.project.workload.tasks[4].scaling is not None


def test_shared_memory_opens_with_what_the_task_takes_and_gives_its_software_back() -> None:
    project = campaign()
    parameters, result = asked(project, "shared_memory", WATER)
    machine, task = project.platform.machines[1], project.workload.tasks[2]
    assert task.program is not None
    total = result.tables[0].rows[-1]  # component, base, share, without it, what-if, …
    base, what_if = float(str(total[1])), float(str(total[4]))
    assert base == pytest.approx(task.program.cost(machine).seconds)
    use = used(project, STUDIES["shared_memory"], WATER, parameters, result)
    after = predict(use.project.problem(), use.project.plan)
    assert after.task_s[2] == pytest.approx(what_if)
    assert use.text == "Use software (protocol 20 %, faults 50 %, locks 50 %) for water"
    with pytest.raises(InputError, match="another processor or network"):
        answer(project, "shared_memory", WATER, processor="4")


def test_a_network_fitted_to_a_ping_pong_goes_into_a_machine(tmp_path: Path) -> None:
    file = tmp_path / "pp.csv"
    rows = "".join(f"{size},{2e-5 + size * 1e-9!r}\n" for size in (1, 100, 10_000, 100_000))
    file.write_text(f"size_bytes,seconds_one_way\n{rows}", encoding="utf-8")
    node = Subject("machine", "node")
    settings = {"network": "ping-pong", "pingpong": str(file), "dims": "4x4 torus"}
    use = answer(campaign(), "styles", node, **settings)
    net = use.project.platform.machines[2].network
    assert net is not None
    assert (net.network.kind, net.network.size) == ("torus", 16)
    assert net.long.G * net.unit_s == pytest.approx(1e-9)
    assert use.text == "Use Measured network in node"
    with pytest.raises(InputError, match="the machine's own already"):
        answer(campaign(), "styles", Subject("machine", "grid"))


def test_the_allocation_study_puts_its_whole_plan_back() -> None:
    use = answer(campaign(), "allocation", None, seconds="0.05")
    before, after = (predict(one.problem(), one.plan) for one in (campaign(), use.project))
    assert after.makespan_s <= before.makespan_s


def test_what_does_not_fit_is_refused() -> None:
    project = campaign()
    parameters, result = asked(project, "mapping", FFT, processes="4", seconds="0.01")
    with pytest.raises(InputError, match="for 4 processes, and the task has 8"):
        used(project, STUDIES["mapping"], FFT, parameters, result)
    with pytest.raises(InputError, match="has 16 back-ends, and the overlay has 8"):
        answer(project, "trees", MONITOR, back_ends="16", hosts="", internal_hosts="", own="",
               host_cores="auto")  # fmt: skip
    parameters, result = asked(project, "styles", FFT)
    with pytest.raises(InputError, match="its program has no such choice"):
        used(project, STUDIES["styles"], ALIGN, parameters, result)
    with pytest.raises(InputError, match="the task has no program"):
        used(project, STUDIES["styles"], REPORT, parameters, result)
    gone = remove_tasks(project, [0])
    with pytest.raises(InputError, match="the project has no such task"):
        used(gone, STUDIES["styles"], FFT, parameters, result)
    with pytest.raises(InputError, match="about nothing of the project"):
        used(project, STUDIES["styles"], None, parameters, result)
    with pytest.raises(InputError, match="does not look at overlays"):
        used(project, STUDIES["styles"], MONITOR, parameters, result)
    with pytest.raises(InputError, match=r"about nothing of the project.*no decision"):
        used(project, STUDIES["sharing"], None, object(), result)


def test_a_subject_is_found_by_its_name_or_what_there_is_is_said() -> None:
    assert subject_of(campaign(), STUDIES["styles"], "fft") == FFT
    assert subject_of(campaign(), STUDIES["styles"], "grid") == Subject("machine", "grid")
    with pytest.raises(InputError, match="Did you mean"):
        subject_of(campaign(), STUDIES["styles"], "ftt")
    with pytest.raises(InputError, match="no program of messages in a style"):
        subject_of(campaign(), STUDIES["styles"], "report")
    assert "no such task" in obstacle(campaign(), STUDIES["styles"], Subject("task", "no"))


def test_a_new_case_has_the_subject_s_values_and_its_name() -> None:
    case = new_case(campaign(), STUDIES["blocks"], ALIGN)
    assert (case.name, case.study, case.subject, case.figures) == ("align", "blocks", ALIGN, ())
    assert dict(case.settings)["n"] == "512"
    _, result = asked(campaign(), "blocks", ALIGN)
    assert [one.name for one in figures_of(result)] == [fact.name for fact in result.facts]


def test_a_case_with_a_setting_that_no_study_has_is_refused() -> None:
    with pytest.raises(InputError, match="Did you mean reach"):
        parameters_for(STUDIES["styles"], ["reech=3"], campaign())


def test_a_style_that_the_plan_has_already_stays() -> None:
    use = answer(campaign(), "styles", FFT)
    again = answer(use.project, "styles", FFT)
    assert again.project == use.project
    assert STYLE.name in choices(use.project, FFT)
