"""Files of trees in the trees study's page: Flux's hosts are opened, STAT's childless refused."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from advisor.studies.trees.study import STUDY
from advisor.trees.tree_picture import OWN, TreePicture
from gui.document.document import Document
from gui.studies.page.study_panel import StudyPanel


def test_a_tree_of_flux_is_opened_and_a_childless_one_refused(
    qtbot: QtBot, document: Document, tmp_path: Path
) -> None:
    flux, stat = tmp_path / "system.toml", tmp_path / "stat.top"
    flux.write_text(
        '[bootstrap]\nhosts = [ { host = "a" }, { host = "b[1-2]", parent = "a" },\n'
        '{ host = "c[1-3]", parent = "b1" }, { host = "d", parent = "b2" } ]\n'
    )
    stat.write_text("fe:0 => a:0 b:0 ;\na:0 => c:0 ;\nb:0 => ;\n")
    panel = StudyPanel(document, STUDY)
    qtbot.addWidget(panel)
    panel.show()
    panel.form.set_values({"back_ends": 4, "own": str(flux), "shape": OWN})

    def fanouts() -> list[int]:
        picture = None if panel.result is None else panel.result.picture(TreePicture)
        return [] if picture is None else picture.chosen.tree.fanouts.tolist()

    qtbot.waitUntil(lambda: fanouts() == [2, 3, 1, 0, 0, 0, 0] and not panel.running.is_busy)
    panel.form.set_values({"own": str(stat)})
    qtbot.waitUntil(lambda: "1 statement without a child" in panel.status)
    panel.close()
