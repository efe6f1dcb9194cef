"""How busy machines and links are until the makespan."""

from __future__ import annotations

from advisor.basics.quantities import count, percent
from advisor.export.report_page.causes_section import MOST_BARS, bars, share
from advisor.export.report_page.page_blocks import Block, Figure, Section
from advisor.export.report_page.subject import Reported


def _blocks(reported: Reported) -> tuple[Block, ...]:
    prediction = reported.prediction
    machines = [
        (machine.name, busy, "of its cores")
        for machine, busy in zip(
            reported.project.platform.machines, prediction.utilisation.tolist(), strict=True
        )
    ]
    links = [
        (use.name, use.busy_share, "of its bandwidth")
        for use in prediction.resources
        if use.size_bytes > 0.0
    ]
    figures = []
    for title, what, used in (
        ("Machines", "machine", machines),
        ("Links and switches", "link or switch", links),
    ):
        if not used:
            continue
        first = sorted(used, key=lambda one: -one[1])[:MOST_BARS]
        left_out = len(used) - len(first)
        caption = "Utilisation until the makespan, highest first."
        if left_out:
            caption += f" {count(left_out, 'more', 'more')} with lower utilisation left out."
        drawing = bars(
            [
                share(name, percent(part), part, f"{name}: {percent(part)} utilised {of}")
                for name, part, of in first
            ]
        )
        told = ", ".join(f"{name} {percent(part)}" for name, part, _ in first[:8])
        figures.append(Figure(title, drawing, caption, f"Utilisation of each {what}: {told}."))
    return tuple(figures)


SECTION = Section("use", "Utilisation", _blocks)
