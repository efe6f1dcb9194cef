"""The report as PDF: sheets with drawings, the same bytes, headings that stand with their text."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from PySide6.QtGui import QPdfWriter, QTextDocument
from PySide6.QtWidgets import QApplication

from advisor.export.report_page.page_blocks import Chapter, Fact, Facts, Listing, Page, Table, Text
from advisor.export.report_page.sections import page_of
from advisor.project.project_file import write_project
from gui.basics import search_session
from gui.basics.report_pdf import pdf, sheets
from gui.shell.launch import main
from tests.advisor.export.report_page.asked import clustered, many, renamed, unsearched
from tests.conftest import two_machines

ROOT = Path(__file__).resolve().parents[3]


def pages(content: bytes) -> int:
    return len(re.findall(rb"/Type /Page\b", content))


def test_a_report_is_a_few_sheets_without_pictures_of_dots(qapp: QApplication) -> None:
    content = pdf(page_of(clustered()))
    assert content.startswith(b"%PDF")
    assert 3 <= pages(content) <= 12
    assert b"/Subtype /Image" not in content
    assert b"/MediaBox [0 0 595" in content  # A4 in points: 595 × 842


def test_hostile_names_and_many_tasks_are_printed(qapp: QApplication) -> None:
    report = unsearched(renamed(two_machines(2), "<b>]]>&שלום"))
    assert pages(pdf(page_of(report))) >= 2
    assert pages(pdf(page_of(unsearched(many(3_000))))) <= 12


def test_every_word_of_a_page_is_there_as_text(qapp: QApplication) -> None:
    page = page_of(unsearched(renamed(two_machines(2), "<b>x</b>")))
    writer = QPdfWriter("")
    text = sheets(page, writer).toPlainText()
    assert "A<b>x</b>x" in text
    for chapter in page.chapters:
        assert chapter.title in text


def test_a_heading_never_stands_alone_at_the_foot_of_a_sheet(qapp: QApplication) -> None:
    for lines in range(30, 60):
        blocks = (*(Text(f"line {one}") for one in range(lines)),)
        rows = tuple((f"{one}", "x") for one in range(3))
        page = Page("t", "s", (
            Chapter("a", "A", blocks),
            Chapter("b", "The heading", (Table("The table", ("one", "other"), rows),)),
        ))  # fmt: skip
        writer = QPdfWriter("")
        document = sheets(page, writer)
        where = [_sheet(document, text) for text in ("The heading", "The table", "one")]
        assert len(set(where)) == 1, lines


def _sheet(document: QTextDocument, text: str) -> int:
    found = document.find(text)
    block = found.block()
    top = document.documentLayout().blockBoundingRect(block).top()
    line = block.layout().lineAt(0)
    height = document.pageSize().height()
    return int((top + line.y() + 1.0) // height)


def test_empty_blocks_take_no_room(qapp: QApplication) -> None:
    page = Page("t", "s", (Chapter("a", "A", (Listing(()), Facts((Fact("f", "1", "d"),)))),))
    writer = QPdfWriter("")
    text = sheets(page, writer).toPlainText()
    assert text.split() == ["t", "s", "A", "f", "1", "d"]


def _write(folder: Path) -> None:
    os.chdir(folder)
    sys.exit(main(["report", "case.placewise", "--output", "here.pdf"]))


def test_the_command_gives_the_same_bytes_in_every_process(tmp_path: Path) -> None:
    write_project(two_machines(2), tmp_path / "case.placewise")
    here = search_session.CONTEXT.Process(target=_write, args=(tmp_path,))
    here.start()
    subprocess.run(
        [sys.executable, "-m", "gui", "report", "case.placewise", "--output", "there.pdf"],
        env={name: value for name, value in os.environ.items() if name != "QT_QPA_PLATFORM"}
        | {"PYTHONHASHSEED": "1", "PYTHONPATH": str(ROOT)},  # here it is another
        cwd=tmp_path, check=True, capture_output=True,
    )  # fmt: skip
    here.join()
    assert here.exitcode == 0
    content = (tmp_path / "here.pdf").read_bytes()
    assert content == (tmp_path / "there.pdf").read_bytes()
    assert pages(content) >= 3
