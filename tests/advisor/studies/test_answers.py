"""The figures of every study's answer are those of its model, and its headline follows the data.

Each figure is recomputed from the model's own functions, by hand, or from rows of tables that have
tests of their own; each headline is asked for data that say the opposite.
"""

from __future__ import annotations

import pytest

from advisor.allocation.plan import Plan
from advisor.allocation.predict import predict
from advisor.allocation.problem import Problem
from advisor.models.dvsm import application_time
from advisor.models.logpc import diamond_makespan
from advisor.models.mrm import mva
from advisor.shared_memory.application_file import shipped_application
from advisor.shared_memory.network_file import dvsm_network
from advisor.studies import STUDIES, Fact, StudyResult, parse_settings
from advisor.studies.allocation.parameters import AllocationParameters
from advisor.studies.facts import BETTER, SAME, WORSE
from advisor.trees.tree_picture import TreePicture
from machines.catalogue import interconnect
from tests.advisor.studies.small_cases import parameters_of_case
from tests.advisor.studies.trees.by_hand import Cost, time_of
from tests.conftest import two_machines

US = 1e-6


def answered(name: str, *settings: str) -> StudyResult:
    study = STUDIES[name]
    return study.run(parse_settings(study.record, settings))


def figures(result: StudyResult) -> dict[str, Fact]:
    return {fact.name: fact for fact in result.facts}


def rows(result: StudyResult, title: str) -> dict[str, dict[str, float]]:
    (table,) = [one for one in result.tables if one.title == title]
    names = [name for name, _ in table.columns]
    return {str(row[0]): dict(zip(names, row, strict=True)) for row in table.rows}  # type: ignore[arg-type]


# Message styles ---------------------------------------------------------------------------


def test_the_figures_of_a_style_are_its_row_and_that_of_the_next() -> None:
    result = answered("styles", "message_bytes=200", "processors=16")
    table, found = rows(result, "Styles"), figures(result)
    used = result.headline.removeprefix("Send ").partition(" messages: ")[0]
    mine, other = table[used], table[result.against]
    time, waits, total = found.values()
    assert (time.value, time.against) == (mine["time per message"], other["time per message"])
    for row, value in ((mine, waits.value), (other, waits.against)):
        assert value == pytest.approx(row["network contention"] + row["processor contention"])
    assert (total.value, total.against) == pytest.approx((mine["in total"], other["in total"]))
    assert result.against == min((one for one in table if one != used),
                                 key=lambda one: table[one]["time per message"])  # fmt: skip


def test_another_size_of_messages_turns_the_advice_around() -> None:
    cost = ("contention=published", "measured_contention=0")
    small, large = (answered("styles", f"message_bytes={size}", *cost) for size in (8, 4000))
    assert small.headline.startswith("Send asynchronous short messages: ")
    assert large.headline.startswith("Send asynchronous long non-blocking messages: ")
    assert figures(small)["time per message"].verdict == BETTER


# Mapping ----------------------------------------------------------------------------------


def test_the_figures_of_an_order_are_its_row_and_that_of_row_major() -> None:
    result = answered("mapping", "dims=4x4", "pattern=ring", "seconds=0.05")
    table = rows(result, "Orders")
    mine = table[result.headline.partition(":")[0].split()[-2]]
    assert result.against == "row-major"
    for fact, column in zip(
        result.facts, ("LoGPC time", "hop-bytes", "busiest channel", "shared channels"), strict=True
    ):
        assert (fact.value, fact.against) == (mine[column], table["row-major"][column])


def test_what_can_not_be_bettered_is_kept_and_has_no_difference() -> None:
    kept = answered("mapping", "dims=3x2", "pattern=stencil-2d", "grid=3x2", "seconds=0.02")
    assert kept.headline.startswith("Keep row-major order: ")
    assert (kept.against, {fact.difference for fact in kept.facts}) == ("", {None})
    moved = answered("mapping", "dims=3x2", "pattern=stencil-2d", "grid=2x3", "seconds=0.02")
    assert moved.headline.startswith("Use the ")
    assert figures(moved)["hop-bytes"].verdict == BETTER


# Blocks -----------------------------------------------------------------------------------


def test_the_makespans_of_blocks_are_the_closed_form() -> None:
    settings = ("task_time=1", "mapping=snake", "receiving=printed")
    result = answered("blocks", *settings)
    costs, (makespan, message, *_) = interconnect("alewife").long, result.facts
    for b, value in ((238, makespan.value), (16, makespan.against)):
        assert value == pytest.approx(diamond_makespan(1024, 32, b, 1.0, costs, 8192 / b))
    assert (message.value, message.against) == (round(8192 / 238), 8192 / 16)  # whole bytes
    assert result.against == "16 blocks"
    mine = answered("blocks", *settings, "blocks=100")
    assert mine.against == "100 blocks"
    assert figures(mine)["makespan"].against == pytest.approx(
        diamond_makespan(1024, 32, 100, 1.0, costs, 8192 / 100)
    )


def test_slower_elements_want_other_blocks_and_the_best_is_not_compared_with_itself() -> None:
    quick, slow = (
        answered("blocks", "mapping=snake", f"task_time={time}").headline for time in (1, 1000)
    )
    assert quick.startswith("Cut each stripe into 87 blocks: ")
    assert not slow.startswith("Cut each stripe into 87 blocks: ")
    alone = answered("blocks", "mapping=snake", "task_time=1", "against=87")
    assert (alone.against, {fact.difference for fact in alone.facts}) == ("", {None})


# Trees ------------------------------------------------------------------------------------


def test_the_figures_of_a_tree_are_those_of_its_processes() -> None:
    result = answered("trees", "back_ends=60")
    picture = result.picture(TreePicture)
    assert picture is not None
    found, tree = figures(result), picture.chosen.tree
    assert found["broadcast"].value == pytest.approx(time_of(tree, Cost()) * US)
    assert found["internal processes"].value == tree.size - 60 - 1
    fastest = rows(result, "Trees")["optimal"]
    assert result.against == "fastest tree"
    assert found["broadcast"].against == pytest.approx(fastest["broadcast"])
    assert found["internal processes"].against == fastest["internal"]
    assert (found["broadcast"].verdict, found["internal processes"].verdict) == (WORSE, BETTER)


def test_where_messages_cost_nothing_but_distance_the_flat_tree_is_built() -> None:
    near = answered("trees", "back_ends=60", "tolerance=0")
    assert near.headline.startswith("Build the optimal tree: ")
    assert figures(near)["broadcast"].verdict == BETTER  # than the best of the usual ones
    own = ("costs=own", "latency=1000", "overhead=0.01", "gap=0.01")
    far = answered("trees", "back_ends=60", *own, "tolerance=0")
    assert far.headline.startswith("Build the flat tree: ")


def test_a_latency_that_is_known_to_an_interval_is_one(tmp_path: object) -> None:
    path = f"{tmp_path}/measured.csv"
    lines = [f"{size},{1e-5 + size * 1e-9}" for size in (1, 64, 4096, 65536)]
    with open(path, "w", encoding="utf-8") as file:  # noqa: PTH123 - a text of five lines
        file.write("\n".join(["size_bytes,seconds_one_way", *lines]))
    result = answered("trees", "back_ends=64", "costs=ping-pong", f"pingpong={path}")
    latency = figures(result)["broadcast"]
    chosen = result.headline.removeprefix("Build the ").partition(" tree")[0]
    row = rows(result, "Trees")[chosen]
    assert (latency.value, latency.most) == (row["least"], row["most"])
    assert latency.difference is None


def test_of_trees_that_are_all_flat_none_is_the_alternative() -> None:
    alone = answered("trees", "back_ends=2")
    assert (alone.against, {fact.difference for fact in alone.facts}) == ("", {None})


# Scaling ----------------------------------------------------------------------------------


def test_the_figures_of_processors_are_those_of_the_queue() -> None:
    demands, think = [40.0] * 5 + [160.0], 12_800.0
    result = answered("scaling", "demands=5x40, 160", "think_time=12800")
    found, alone = figures(result), sum(demands) + think
    for P, of in ((98, "value"), (87, "against")):
        solved = mva(P, demands, think)
        speedup = solved.throughput * alone
        assert getattr(found["processors"], of) == P
        assert getattr(found["speedup"], of) == pytest.approx(speedup)
        assert getattr(found["efficiency"], of) == pytest.approx(100.0 * speedup / P)
        assert getattr(found["latency of a message"], of) == pytest.approx(solved.response)
    assert result.against == "P = 87, best efficiency × speed"


def test_a_busier_stage_and_a_smaller_budget_ask_for_fewer_processors() -> None:
    many = answered("scaling", "demands=10", "think_time=1000")
    few = answered("scaling", "demands=100", "think_time=100")
    paid = answered("scaling", "demands=10", "think_time=1000", "budget=7")
    numbers = [int(figures(one)["processors"].value) for one in (many, few, paid)]
    assert numbers[0] > 50
    assert numbers[1] < 10
    assert numbers[2] == 7
    assert paid.headline.startswith("Use 7 processors within the budget: ")
    assert paid.against.endswith("best time")


@pytest.mark.parametrize("name", ["raytracer", "specsdm91"])
def test_the_figures_of_measurements_are_the_rows_of_the_choices(name: str) -> None:
    result = answered("scaling", "source=data", f"data={name}", "replicates=20")
    table, found = rows(result, "Processors to use"), figures(result)
    time, power = table["best throughput"], table["best efficiency × speed"]
    assert result.headline.startswith(f"Use {time['P']} processors, the ")
    for fact, column, share in (
        ("processors", "P", 1.0), ("speedup", "speedup", 1.0), ("efficiency", "efficiency", 1.0),
        ("throughput", "throughput", 1.0),
    ):  # fmt: skip
        assert found[fact].value == pytest.approx(share * time[column])
        assert found[fact].against == pytest.approx(share * power[column])


def test_measurements_that_fall_are_answered_with_fewer_processors() -> None:
    def text(kappa: float) -> str:
        numbers = (1, 2, 4, 8, 16, 32)
        times = [100 * (1 + 0.02 * (P - 1) + kappa * P * (P - 1)) / P for P in numbers]
        return "P,time (s)\n" + "\n".join(
            f"{P},{t:.9g}" for P, t in zip(numbers, times, strict=True)
        )

    rising, falling = (
        figures(answered("scaling", "source=data", f"data={text(kappa)}", "replicates=20"))
        for kappa in (0.0, 0.02)
    )
    assert rising["processors"].value == 32
    assert falling["processors"].value < 10


# Sharing ----------------------------------------------------------------------------------


def test_the_figures_of_two_half_busy_contenders_are_those_of_the_queue_by_hand() -> None:
    # two customers, 0.5 at the processor and 0.5 away: Q(1) = 0.5, R = 0.5 · 1.5, X = 2/1.25
    result = answered("sharing", "contenders=0.5, 0.5")
    shown = {name: (one.value, one.against) for name, one in figures(result).items()}
    assert shown["slowdown"] == pytest.approx((1.0 + 1.2, 1.0 + 2 * 0.5))
    assert shown["contenders at the processor, mean"] == pytest.approx((1.2, 1.0))
    assert shown["all of them at once"] == pytest.approx((40.0, 25.0))  # 2/(1 + 2 + 2), 0.5²
    assert {one.verdict for one in result.facts} == {""}


def test_contenders_that_wait_elsewhere_slow_less_than_the_formula_says() -> None:
    more, less, same = (
        answered("sharing", f"contenders={text}") for text in ("3x0.5", "2x0.25/0.75", "0.5")
    )
    assert " more than by the published formula" in more.alternative
    assert " less than by the published formula" in less.alternative
    assert same.alternative == "The published formula and 1 + the mean queue agree."
    assert [one.facts[0].difference_text[0] for one in (more, less)] == ["+", "−"]


# Shared memory ----------------------------------------------------------------------------


def test_the_figures_of_a_shared_memory_program_are_its_times() -> None:
    result = answered("shared_memory", "application=water")
    base = application_time(
        dvsm_network("fast-ethernet").network, shipped_application("water").counted("fast-ethernet")
    )
    found = figures(result)
    advised = result.headline.removeprefix("Use ").partition(",")[0]
    (ways,) = [one for one in result.tables if one.title == "Alternatives"]
    (slowest,) = [cells[2] for cells in ways.rows if cells[0] == advised]
    assert found["advised time"].against == pytest.approx(base.time * US)
    assert found["advised efficiency"].against == pytest.approx(100.0 * base.efficiency)
    assert found["advised time"].value == slowest
    assert found["what-if time"].against == pytest.approx(base.time * US)
    assert found["what-if time"].verdict == found["advised time"].verdict == BETTER


def test_a_target_within_reach_keeps_what_is_there() -> None:
    kept = answered("shared_memory", "application=water", "target=0.3")
    assert kept.headline == "Keep Fast Ethernet: efficiency 38.4 % reaches 30 %."
    assert "advised time" not in figures(kept)
    today = answered("shared_memory", "application=sor", "technology=today")
    assert figures(today)["what-if time"].verdict == SAME
    change = answered("shared_memory", "application=is")
    assert change.headline.startswith("For efficiency 70 % take 8.1 % better protocol software")
    assert figures(change)["advised efficiency"].value == pytest.approx(70.0, abs=0.05)


# Allocation and its map -------------------------------------------------------------------


def test_the_figures_of_an_allocation_are_those_of_its_prediction_and_of_the_present_one() -> None:
    project = two_machines(contenders=2)
    problem = Problem.of(project.platform, project.workload)
    result = STUDIES["allocation"].run(AllocationParameters(problem, Plan((0, 0))))
    assert result.recommendation is not None
    mine, present = (predict(problem, plan) for plan in (result.recommendation.plan, Plan((0, 0))))
    makespan, total = result.facts
    assert (makespan.value, makespan.against) == (mine.makespan_s, present.makespan_s)
    assert (total.value, total.against) == (mine.total_s, present.total_s)
    assert makespan.verdict == BETTER
    kept = STUDIES["allocation"].run(AllocationParameters(problem, result.recommendation.plan))
    assert "saves" not in kept.headline
    free = STUDIES["allocation"].run(AllocationParameters(problem))
    assert (free.against, {fact.difference for fact in free.facts}) == ("", {None})


def test_the_share_of_the_best_now_is_that_of_its_row() -> None:
    result = STUDIES["decision-map"].run(parameters_of_case("decision map"))
    (table,) = result.tables
    share, others = result.facts
    column = [name for name, _ in table.columns].index("share")
    assert share.value == table.rows[0][column]
    assert others.value == len(table.rows) - 1


# Words ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "figure", "settings"),
    [
        ("styles", 0, ()),
        ("styles", 0, ("network=myrinet-now",)),
        ("blocks", 0, ("n=200",)),
        ("mapping", 0, ("dims=4x4 mesh", "seconds=0.05")),
        ("mapping", 0, ("size_bytes=100000", "dims=4x4 mesh", "seconds=0.05")),
        ("scaling", 1, ()),
        ("trees", 0, ("back_ends=40",)),
        ("sharing", 0, ("contenders=3x0.4",)),
        ("shared_memory", 1, ()),
        ("shared_memory", -1, ()),
    ],
)
def test_a_sentence_has_the_digits_of_the_figure_beside_it(
    name: str, figure: int, settings: tuple[str, ...]
) -> None:
    result = answered(name, *settings)
    assert result.facts[figure].text in result.sentence
