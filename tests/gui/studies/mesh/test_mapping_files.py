"""Files of communication in the mapping study's page: opened, asked about, or refused with why."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from advisor.messages.mapping.mapping_picture import MappingPicture
from advisor.studies.mapping.study import STUDY
from gui.document.document import Document
from gui.studies.page.study_panel import StudyPanel

BACKWARDS = "1,3,5,0\n2,4,0,5\n6,0,4,3\n0,6,2,1\n"  # from process 3 to process 0
FILES = {
    "ring.mtx": "%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 4\n3 2 5\n",
    "ring.graph": "3 2 001\n2 4\n1 4 3 5\n2 5\n",
    "ring.grf": "0\n3 4\n0 010\n1 4 1\n2 4 0 5 2\n1 5 1\n",
    "ring.txt": "sending rank | receiving rank | bytes sent\n"
    "0 | 1 | 4\n1 | 0 | 4\n1 | 2 | 5\n2 | 1 | 5\n",
    "ones.csv": "source,target,bytes\n1,2,4\n2,1,4\n2,3,5\n3,2,5\n",
}


@pytest.fixture
def panel(qtbot: QtBot, document: Document) -> Iterator[StudyPanel]:
    panel = StudyPanel(document, STUDY)
    qtbot.addWidget(panel)
    panel.resize(1200, 700)
    panel.show()
    yield panel
    panel.close()


def opened(qtbot: QtBot, panel: StudyPanel, path: Path, **more: object) -> MappingPicture:
    panel.form.set_values(
        {"pattern": "file", "file": str(path), "dims": "4x1", "seconds": 0.01} | more
    )
    qtbot.waitUntil(lambda: name_of(panel) == path.stem and not panel.running.is_busy)
    assert panel.result is not None
    picture = panel.result.picture(MappingPicture)
    assert picture is not None
    return picture


def name_of(panel: StudyPanel) -> str:
    picture = None if panel.result is None else panel.result.picture(MappingPicture)
    return "" if picture is None else picture.communication.name


@pytest.mark.parametrize("name", FILES)
def test_every_kind_of_file_is_opened(
    qtbot: QtBot, panel: StudyPanel, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    path.write_text(FILES[name])
    flows = opened(qtbot, panel, path).communication
    assert (flows.processes, flows.total_bytes) == (3, 18.0)
    assert ("count from 1" in panel.notes.text()) == (name == "ones.csv")


def test_rows_that_run_backwards_are_asked_about_and_turned(
    qtbot: QtBot, panel: StudyPanel, tmp_path: Path
) -> None:
    path = tmp_path / "matrix.csv"
    path.write_text(BACKWARDS)
    opened(qtbot, panel, path)
    assert "rows=reversed" in panel.notes.text()
    assert panel.form.editor("rows").isVisibleTo(panel)
    path = path.rename(tmp_path / "turned.csv")
    flows = opened(qtbot, panel, path, rows="reversed").communication
    assert flows.traffic(range(4), 4)[0].tolist() == [0.0, 6.0, 2.0, 1.0]
    assert "rows=" not in panel.notes.text()
