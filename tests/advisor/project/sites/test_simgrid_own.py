"""What is exported to SimGrid opens again as the same machines, links and switches."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.export.simgrid.platform_xml import render, xml_platform
from advisor.project.platforms import read_machines
from machines import Platform, catalogue


@pytest.mark.parametrize("name", ["star", "bus", "two-level-tree", "fat-tree", "two-machines"])
def test_an_export_comes_back_equal(tmp_path: Path, name: str) -> None:
    stated = catalogue.load(name)
    text = render(xml_platform(stated, "exact", [(one.speed,) for one in stated.machines]))
    (tmp_path / "p.xml").write_text(text, encoding="utf-8")
    found = read_machines(tmp_path / "p.xml").platform
    assert _facts(found) == _facts(stated)


def _facts(platform: Platform) -> tuple[object, ...]:
    return (
        [(one.name, one.cores, pytest.approx(one.speed)) for one in platform.machines],
        {(link.ends, link.sharing): _way(platform, link.first, link.second)
         for link in platform.links},
        {one.name: one.bandwidth for one in platform.switches},
    )  # fmt: skip


def _way(platform: Platform, first: str, second: str) -> tuple[float, float]:
    link = platform.link(first, second)
    assert link is not None
    return link.to_second.startup_s, link.to_second.bandwidth
