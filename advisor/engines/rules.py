"""Which tasks a rule or process of a workflow of one's own may be, by its name.

Such a workflow has a rule for a task, or a rule for a kind of tasks. What it is called is not
known: the name of a kind means its tasks, any other name of a task means that one.
"""

from __future__ import annotations

from collections import defaultdict

from advisor.basics.slugs import unique_slugs
from advisor.engines.jobs import Job, Jobs


def rules_of(jobs: Jobs) -> dict[str, tuple[Job, ...]]:
    """The jobs of each name that a rule may have, kinds first."""
    kinds: dict[str, list[Job]] = defaultdict(list)
    for job in jobs.jobs:
        kinds[job.kind].append(job)
    names = unique_slugs(kinds)
    found = {name: tuple(alike) for name, alike in zip(names, kinds.values(), strict=True)}
    for job in jobs.jobs:
        found.setdefault(job.slug, (job,))
    return found
