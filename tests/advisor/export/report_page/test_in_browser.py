"""A report in a real browser: on a phone, in the dark and on paper. Skipped where there is none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.advisor.export.report_page.asked import (
    clustered,
    made,
    many,
    monitored,
    renamed,
    text_of,
    unsearched,
)
from tests.browser import Browser, browser
from tests.conftest import cluster, two_machines

pytestmark = pytest.mark.engines

SHEET_PX, SHEET_WIDE_PX = 1000, 688  # what a sheet of A4 holds within its margins, CSS pixels


@pytest.fixture(scope="module")
def shown() -> Iterator[Browser]:
    with browser() as found:
        yield found


@pytest.fixture(scope="module", params=["small", "names", "clustered", "monitored", "many"])
def file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    long = "-" + "long" * 30 + "<b>שלום"
    reports = {
        "small": lambda: made(two_machines(2)),
        "names": lambda: made(renamed(two_machines(2), long)),
        "clustered": clustered,
        "monitored": monitored,
        "many": lambda: unsearched(many(30_000)),
    }
    path = tmp_path_factory.mktemp("report") / f"{request.param}.html"
    path.write_text(text_of(reports[request.param]()), encoding="utf-8")
    return path


def test_it_opens_without_a_word_on_the_console_and_fetches_nothing(
    shown: Browser, file: Path
) -> None:
    shown.open(file)
    assert shown.complaints() == []
    assert shown.fetched() == [file.as_uri()]


def test_a_phone_never_scrolls_sideways_and_no_writing_sticks_out(
    shown: Browser, file: Path
) -> None:
    shown.open(file, 360)
    assert shown.value("innerWidth") == 360
    assert shown.value("document.documentElement.scrollWidth") <= 360
    ends = "[...document.querySelectorAll('svg text')].map(t => t.getBoundingClientRect())"
    visible = f"{ends}.filter(r => r.width > 0)"
    assert shown.value(f"Math.max(...{visible}.map(r => r.right))") <= 360
    assert shown.value(f"Math.min(...{visible}.map(r => r.left))") >= 0
    boxes = "[...document.querySelectorAll('.wide')]"
    assert shown.value(f"{boxes}.every(b => getComputedStyle(b).overflowX === 'auto')")


def test_labels_of_bars_lie_inside_their_figure_at_any_width(shown: Browser, file: Path) -> None:
    for width in (360, 700, 1400):
        shown.open(file, width)
        inside = (
            "[...document.querySelectorAll('figure > svg')].every(s => "
            "[...s.querySelectorAll('text')].every(t => { const r = t.getBoundingClientRect(), "
            "f = s.getBoundingClientRect(); return r.width === 0 || "
            "(r.left >= f.left - 1 && r.right <= f.right + 1); }))"
        )
        assert shown.value(inside), width


def test_a_name_is_written_on_its_bar_or_not_at_all(shown: Browser, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(text_of(made(cluster(2, 3, 2))), encoding="utf-8")
    seen = []
    for width in (360, 1000):
        shown.open(file, width)
        seen.append(shown.value(_NAMES))
        assert all(inside for _, inside in seen[-1])
    assert 0 < len(seen[0]) < len(seen[1])


# every name of a bar that can be seen, and whether a part of that bar holds all of it
_NAMES = """
(() => {
  const bars = [...document.querySelectorAll('rect:not([fill=none])')]
      .map(bar => bar.getBoundingClientRect());
  return [...document.querySelectorAll('text[dx="4"]')]
      .map(text => [text, text.getBoundingClientRect()])
      .filter(([_, r]) => r.width > 0)
      .map(([text, r]) => [text.textContent, bars.some(bar => bar.left <= r.left + 1 &&
          r.right <= bar.right + 1 && bar.top <= r.top + 3 && r.bottom <= bar.bottom + 3)]);
})()
"""


def test_it_is_dark_where_the_reader_likes_that(shown: Browser, file: Path) -> None:
    colours = []
    for dark in (False, True):
        shown.open(file, dark=dark)
        colours.append(shown.value("getComputedStyle(document.body).backgroundColor"))
        text = shown.value("getComputedStyle(document.querySelector('svg text')).fill")
        assert _contrast(colours[-1], text) >= 4.5
    assert colours == ["rgb(255, 255, 255)", "rgb(30, 31, 34)"]


def test_on_paper_it_is_light_has_sheets_and_no_figure_is_cut(shown: Browser, file: Path) -> None:
    shown.open(file, SHEET_WIDE_PX, dark=True)
    dark = {"name": "prefers-color-scheme", "value": "dark"}
    shown.call("Emulation.setEmulatedMedia", media="print", features=[dark])
    assert shown.value("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    heights = "[...document.querySelectorAll('figure')].map(f => f.offsetHeight)"
    assert 0 < shown.value(f"Math.max(...{heights})") < SHEET_PX
    wide = "[...document.querySelectorAll('table')].map(t => t.getBoundingClientRect().right)"
    assert shown.value(f"Math.max(...{wide})") <= SHEET_WIDE_PX
    assert shown.value("document.documentElement.scrollWidth") <= SHEET_WIDE_PX
    kept = "[...document.querySelectorAll('figure, tr')].map(f => getComputedStyle(f).breakInside)"
    assert set(shown.value(kept)) == {"avoid"}
    head = "getComputedStyle(document.querySelector('thead')).display"
    assert shown.value(head) == "table-header-group"
    pages = re.findall(rb"/Type\s*/Page\b", shown.pdf())
    assert 3 <= len(pages) <= 30
    shown.call("Emulation.setEmulatedMedia", media="")


def test_folds_open_by_keyboard(shown: Browser, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(text_of(made(two_machines())), encoding="utf-8")
    shown.open(file)
    shown.value("document.querySelector('summary').focus()")
    for kind in ("keyDown", "keyUp"):
        shown.call("Input.dispatchKeyEvent", type=kind, key="Enter", code="Enter",
                   windowsVirtualKeyCode=13, text="\r")  # fmt: skip
    assert shown.value("document.querySelector('details').open")


def _contrast(one: str, other: str) -> float:
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(part) / 255.0 for part in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
