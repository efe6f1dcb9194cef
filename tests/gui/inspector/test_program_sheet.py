"""The program inside a parallel task: chosen, changed, refused where no machine could run it."""

from __future__ import annotations

import math
from dataclasses import fields, replace

import pytest
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from advisor.messages.patterns import KINDS as PATTERNS
from advisor.messages.styles import COMPLETIONS, TRANSPORTS
from advisor.programs.choices.mapping_choice import MAPPING_NAMES
from advisor.programs.choices.program_choice import CHOOSE
from advisor.programs.diamond_program import DiamondDag
from advisor.programs.em3d import Em3d
from advisor.programs.kinds import KINDS, kind_of
from advisor.programs.program import Program
from advisor.programs.remap import Remap
from advisor.project.examples import load_example
from gui.document.document import Document
from gui.inspector import Inspector
from machines import InputError
from machines.parameters import parameters_of, properties_of
from tests.gui.inspector.hands import (
    choice,
    choose_by_keys,
    choose_by_mouse,
    error_under,
    keys,
    labels,
    open_inspector,
    select,
    type_into,
)

PREPARE, SPECTRA, ALIGN = 0, 1, 2


@pytest.fixture
def parallel(qapp: object) -> Document:
    """The example: spectra are a remap, align is a wavefront, on a multicomputer."""
    return Document(load_example("multicomputer"))


@pytest.fixture
def inspector(qtbot: QtBot, parallel: Document) -> Inspector:
    return open_inspector(qtbot, parallel)


def program(document: Document, task: int = SPECTRA) -> Program | None:
    return document.project.workload.tasks[task].program


def test_every_field_of_every_program_has_words() -> None:
    for kind in KINDS:
        assert all(field.metadata["title"] for field in fields(kind.record))
        assert all(one.help for one in parameters_of(kind.record))


def test_every_number_of_every_program_says_its_range_and_the_record_keeps_to_it() -> None:
    for kind in KINDS:
        for one in properties_of(kind.record):
            if one.kind in (int, float):
                assert math.isfinite(one.low), one.name
                beyond = one.kind(one.low - (0 if one.above else 1))
                with pytest.raises(InputError):
                    replace(kind.first(), **{one.name: beyond})


def test_the_style_is_chosen_by_mouse_and_is_one_undo_step(
    qtbot: QtBot, inspector: Inspector, parallel: Document
) -> None:
    select(parallel, SPECTRA)
    combo = choose_by_mouse(qtbot, inspector, "program.completion", "synchronous")
    assert [combo.itemText(k) for k in range(combo.count())] == [*COMPLETIONS, CHOOSE]
    found = program(parallel)
    assert isinstance(found, Remap)
    assert found.style.name == "synchronous long blocking"
    assert parallel.undo_stack.count() == 1
    assert "synchronous long blocking" in labels(inspector)
    parallel.undo_stack.undo()
    assert choice(inspector, "program.completion").text() == "asynchronous"


@pytest.mark.parametrize(
    ("key", "text", "value"),
    [
        ("messages", "2e3", 2000),
        ("message_bytes", "4 KiB", 4096.0),
        ("computation_s", "20 µs", 2e-5),
        ("processes", "16", 16),
    ],
)
def test_numbers_are_typed_with_their_units(
    qtbot: QtBot, inspector: Inspector, parallel: Document, key: str, text: str, value: float
) -> None:
    select(parallel, SPECTRA)
    type_into(qtbot, inspector, f"program.{key}", text)
    assert getattr(program(parallel), key) == pytest.approx(value)
    assert parallel.undo_stack.count() == 1


@pytest.mark.parametrize(
    ("key", "text", "reason"),
    [
        ("messages", "0", "messages must be a whole number"),
        ("messages", "many", "not a number"),
        ("message_bytes", "0.5", "message_bytes is out of range"),
        ("processes", "1", "processes must be a whole number"),
        ("processes", "33", "it could not run on multicomputer: 33 processes do not fit on 32"),
    ],
)
def test_wrong_numbers_stay_with_their_reason(
    qtbot: QtBot, inspector: Inspector, parallel: Document, key: str, text: str, reason: str
) -> None:
    select(parallel, SPECTRA)
    line = type_into(qtbot, inspector, f"program.{key}", text)
    assert reason.casefold() in error_under(inspector, f"program.{key}").casefold()
    assert line.text() == text
    assert parallel.undo_stack.count() == 0


def test_only_what_the_pattern_asks_for_is_shown(
    qtbot: QtBot, inspector: Inspector, parallel: Document
) -> None:
    select(parallel, SPECTRA)
    asked = {}
    for pattern in PATTERNS:
        choose_by_keys(qtbot, inspector, "program.pattern", pattern)
        asked[pattern] = {key.removeprefix("program.") for key in keys(inspector)}
    assert {p for p in PATTERNS if "reach" in asked[p]} == {"shift", "neighbours", "em3d"}
    assert {p for p in PATTERNS if {"share", "node"} <= asked[p]} == {"hotspot"}
    assert {p for p in PATTERNS if "seed" in asked[p]} == {"permutation"}
    assert "short_bytes" not in asked["shift"]
    choose_by_keys(qtbot, inspector, "program.transport", "short")
    assert "program.short_bytes" in keys(inspector)
    choose_by_keys(qtbot, inspector, "program.mapping", "random")
    assert "program.seed" in keys(inspector)


def test_a_wavefront_takes_blocks_or_the_best_number(
    qtbot: QtBot, inspector: Inspector, parallel: Document
) -> None:
    select(parallel, ALIGN)
    line = inspector.findChild(QLineEdit, "field.program.blocks")
    assert line.placeholderText() == "the best"
    type_into(qtbot, inspector, "program.blocks", "64")
    assert program(parallel, ALIGN) == DiamondDag(16_384, 1e-6, 4.0, blocks=64)
    type_into(qtbot, inspector, "program.blocks", "20000")
    assert "o more blocks than columns" in error_under(inspector, "program.blocks")
    type_into(qtbot, inspector, "program.blocks", "16384")
    assert "t could not run on multicomputer" in error_under(inspector, "program.blocks")
    type_into(qtbot, inspector, "program.blocks", "")
    assert parallel.undo_stack.count() == 1


def test_the_kind_is_changed_and_what_both_know_stays(
    qtbot: QtBot, inspector: Inspector, parallel: Document
) -> None:
    select(parallel, SPECTRA)
    choose_by_mouse(qtbot, inspector, "program.mapping", "snake")
    choose_by_mouse(qtbot, inspector, "program", "em3d")
    found = program(parallel)
    assert isinstance(found, Em3d)
    assert (found.mapping, found.transport) == ("snake", "long blocking")
    assert "program.nonlocal_share" in keys(inspector)
    assert "program.messages" not in keys(inspector)
    choose_by_mouse(qtbot, inspector, "program", "none")
    task = parallel.project.workload.tasks[SPECTRA]
    assert (task.program, task.work, task.seconds) == (None, None, (("workstation", 80.0),))
    for _ in range(3):
        parallel.undo_stack.undo()
    assert kind_of(program(parallel)).name == "remap"  # type: ignore[arg-type]


def test_a_serial_task_becomes_parallel_and_moves_to_a_network(
    qtbot: QtBot, inspector: Inspector, parallel: Document
) -> None:
    parallel.move_tasks(frozenset({PREPARE}), 0)
    select(parallel, PREPARE)
    assert choice(inspector, "program").text() == "none"
    choose_by_mouse(qtbot, inspector, "program", "diamond")
    task = parallel.project.workload.tasks[PREPARE]
    assert isinstance(task.program, DiamondDag)
    assert task.work is None
    assert parallel.project.plan.allocation[PREPARE] == 1
    assert "Can't run on workstation: the machine has no network" in labels(inspector)
    parallel.undo_stack.undo()
    assert parallel.project.workload.tasks[PREPARE].work == 20.0
    assert parallel.project.plan.allocation[PREPARE] == 0


def test_without_any_network_the_reason_is_said_in_place(
    qtbot: QtBot, cluster_document: Document
) -> None:
    widget = Inspector(cluster_document)
    qtbot.addWidget(widget)
    widget.resize(340, 900)
    with qtbot.waitExposed(widget):
        widget.show()
    select(cluster_document, 1)
    combo = choose_by_mouse(qtbot, widget, "program", "remap")
    assert "has no network for a parallel program" in error_under(widget, "program")
    assert "Give a machine a network" in error_under(widget, "program")
    assert combo.text() == "remap"
    assert cluster_document.undo_stack.count() == 0


def test_stated_times_say_what_empty_means(inspector: Inspector, parallel: Document) -> None:
    select(parallel, ALIGN)
    here = inspector.findChild(QLineEdit, "field.seconds.multicomputer")
    there = inspector.findChild(QLineEdit, "field.seconds.workstation")
    assert here.placeholderText() == "from its program"
    assert there.placeholderText() == "can't run here"
    assert "no network" in there.toolTip()


def test_a_share_slides_as_one_step(inspector: Inspector, parallel: Document) -> None:
    from PySide6.QtWidgets import QSlider

    task = parallel.project.workload.tasks[SPECTRA]
    assert isinstance(task.program, Remap)
    hot = replace(task, program=replace(task.program, pattern="hotspot"))
    workload = parallel.project.workload.with_task(SPECTRA, hot)
    parallel.apply(replace(parallel.project, workload=workload), "hotspot")
    select(parallel, SPECTRA)
    slider = inspector.findChild(QSlider, "slider.program.share")
    slider.setSliderDown(True)
    for step in (40, 80, 120):
        slider.setSliderPosition(step)
    slider.setSliderDown(False)
    assert getattr(program(parallel), "share", None) == pytest.approx(0.3)
    assert parallel.undo_stack.count() == 2


def test_the_choices_are_those_of_the_engine(inspector: Inspector, parallel: Document) -> None:
    select(parallel, SPECTRA)
    offered = {
        "program": ("none", *(kind.name for kind in KINDS)),
        "program.pattern": PATTERNS,
        "program.transport": (*TRANSPORTS, CHOOSE),
        "program.mapping": (CHOOSE, *MAPPING_NAMES),
    }
    for key, texts in offered.items():
        combo = choice(inspector, key)
        assert tuple(combo.itemData(k) for k in range(combo.count())) == tuple(texts)
