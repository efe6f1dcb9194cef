"""Plans for Nextflow: what the file says, against lines written by hand after its documentation."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from advisor.allocation.plan_jobs import Jobs
from advisor.engines import nextflow
from machines.errors import InputError
from tests.advisor.engines.dozen import jobs

BY_HAND = """\
process {
    withName: 'raw' {
        cpus = 1
        maxForks = 3
        clusterOptions = { ['0': '--nodelist=n1', '1': '--nodelist=n2', 'raw0': '--nodelist=n1', \
'raw1': '--nodelist=n2'][task.tag] ?: '' }
    }
    withName: 'model' {
        cpus = 2
        maxForks = 1
        clusterOptions = '--nodelist=n2'
    }
    withName: 'raw0' {
        cpus = 1
        maxForks = 1
        clusterOptions = '--nodelist=n1'
    }
    withName: 'raw1' {
        cpus = 1
        maxForks = 2
        clusterOptions = '--nodelist=n2'
    }
}
"""


def small(host: str = "n1") -> Jobs:
    """raw0 on n1 of one core, raw1 and model, of two cores, on n2."""
    wanted = (("raw0", host, 1), ("raw1", "n2", 1), ("model", "n2", 2))
    rows = [
        replace(job, name=name, slug=name, kind=name.rstrip("01"), machine=machine, cores=cores)
        for (name, machine, cores), job in zip(wanted, jobs().jobs, strict=False)
    ]
    return replace(jobs(), jobs=tuple(rows), machines=((host, "m_1", 1), ("n2", "n2", 2)))


def without_comments(text: str) -> str:
    return re.sub(r"^(//.*)?\n", "", text, flags=re.MULTILINE)


def test_the_file_is_what_the_documentation_asks_for() -> None:
    assert without_comments(nextflow.render(small())) == BY_HAND


def test_a_file_written_by_hand_is_read_as_the_plan() -> None:
    assert nextflow.parse(BY_HAND) == nextflow.says(small())


def test_what_tasks_hold_is_asked_for() -> None:
    raw0, raw1, model = small().jobs
    held = (
        replace(raw0, memory_bytes=2 * 10**9),
        replace(raw1, resources=(("gpu", 1),), licences=(("matlab", 2),)),
        replace(model, resources=(("fpga", 1),)),
    )
    plan = replace(small(), jobs=held)
    text = nextflow.render(plan)
    assert "memory = '2000000000 B'" in text
    assert "accelerator = { ['0': 0, '1': 1, 'raw0': 0, 'raw1': 1][task.tag] ?: 0 }" in text
    assert "'--nodelist=n2 --gres=gpu:1 --licenses=matlab:2'" in text
    assert "clusterOptions = '--nodelist=n2 --gres=fpga:1'" in text
    assert nextflow.parse(text) == nextflow.says(plan)
    assert any("gres.conf" in note for note in nextflow.notes(plan))


@pytest.mark.parametrize("name", ["it's", "back\\", "\\'", "$x ${y}", '"', "// no comment"])
def test_groovy_strings_end_where_they_should(name: str) -> None:
    row = replace(small().jobs[0], name=name)
    plan = replace(small(), jobs=(row, *small().jobs[1:]))
    (line,) = [one for one in nextflow.render(plan).splitlines() if "?: ''" in one]
    # by Groovy's rules: a backslash takes the next sign, a quote that is not taken ends the string
    found, inside, at = [""], False, 0
    while at < len(line):
        if inside and line[at] == "\\":
            found[-1] += line[at + 1]
            at += 1
        elif line[at] == "'":
            inside = not inside
            found += [""] if inside else []
        elif inside:
            found[-1] += line[at]
        at += 1
    assert not inside
    assert name in found


def test_a_machine_that_is_no_host_is_replaced_and_said() -> None:
    plan = small("M 1 $(x)")
    assert "--nodelist=m_1'" in nextflow.render(plan)
    assert 'No host is called "M 1 $(x)": the file says m_1 instead' in nextflow.notes(plan)
    assert not [note for note in nextflow.notes(small()) if "host" in note]


@pytest.mark.parametrize(
    ("old", "new"),
    [("'raw'", "raw"), ("cpus = 1", "cpus = x"), ("cpus = 1", "cpus = 1 + 1"), ("?: ''", ""),
     ("task.tag", "task.index"), ("withName", "withLabel"), ("process", "params"), ("'--", "\"--")],
)  # fmt: skip
def test_what_we_do_not_write_is_refused(old: str, new: str) -> None:
    with pytest.raises(InputError):
        nextflow.parse(BY_HAND.replace(old, new, 1))
