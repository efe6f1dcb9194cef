"""The formats of others that open, in the order in which they are asked: the surest first.

A new format is a `Source` in a file of its own and a line here.
"""

from __future__ import annotations

from advisor.project.sites.site_sources import SITES
from advisor.project.sources import (
    dax,
    dot,
    dslab,
    flexible_jobs,
    graphml,
    mermaid,
    pegasus_workflow,
    psplib,
    saga,
    stg,
    tables,
    tgff,
)
from advisor.project.sources.source import Source

SOURCES: tuple[Source, ...] = (
    dax.SOURCE,
    pegasus_workflow.SOURCE,
    saga.SOURCE,
    *dslab.SOURCES,
    *graphml.SOURCES,
    dot.SOURCE,
    mermaid.SOURCE,
    tgff.SOURCE,
    stg.SOURCE,
    psplib.SOURCE,
    flexible_jobs.SOURCE,
    *tables.SOURCES,
    *SITES,
)


def source_of(head: bytes) -> Source | None:
    """What reads a file with these first bytes; None: no format of others that opens."""
    return next((one for one in SOURCES if one.recognises(head)), None)
