"""Every reader of the product, each with files that it reads: what mutations begin with."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import Path

import resources
from advisor.basics.host_list import parse_capacities, read_capacities, read_hosts
from advisor.campaigns.campaign_cases import planned
from advisor.campaigns.campaign_file import campaign_path, read_campaign
from advisor.campaigns.campaign_record import dumped, record_in, record_of
from advisor.commands.inputs import read_allocation, read_planned
from advisor.decisions.plan_table import plan_from, plan_table
from advisor.messages.mapping.communication_file import read_communication
from advisor.messages.mapping.mapping_file import read_mapping
from advisor.messages.networks import chosen_network
from advisor.overlays.overlay_plan import OverlayPlan
from advisor.project.examples import load_example
from advisor.project.opening import first_project, open_file, open_files, with_platform
from advisor.project.project import Project
from advisor.project.project_file import dump_project, parse_project, read_project
from advisor.project.questions import QUESTIONS
from advisor.project.workload_file import dump_json, read_workload, workload_from
from advisor.runs.logs import nextflow_log as nextflow
from advisor.runs.logs import slurm_accounting, slurm_jobcomp
from advisor.runs.logs import snakemake_log as snakemake
from advisor.runs.logs import wfformat_log as wfformat
from advisor.runs.logs.reading import read_runs
from advisor.runs.matching import matched
from advisor.scaling.data import read_measurements
from advisor.shared_memory.application_file import (
    dump_counts,
    parse_counts,
    read_application,
    shipped_application,
)
from advisor.shared_memory.network_file import read_dvsm_network
from advisor.studies.parameters import number_list, pairs, parse_settings
from advisor.studies.study import Study
from advisor.trees.topgen_spec import parse_spec
from advisor.trees.topology_file import read_topology
from advisor.trees.tree_file import read_tree
from machines.formats.network_table import read_interconnect
from machines.formats.pingpong_csv import read_pingpong
from machines.formats.platform_toml import dump_platform, parse_platform, read_platform
from tests.advisor.export.decided import decided
from tests.advisor.project.sources import site_files, small_files
from tests.advisor.runs.diamond import diamond
from tests.advisor.runs.logs import small_logs as logs
from tests.choosing import choosing
from tests.fuzzing import beside, log_seeds, questions
from tests.fuzzing.seeds import (
    EXTRAP,
    HOSTS,
    LISTS,
    MAPPING,
    MATRICES,
    MEASURED,
    MEASUREMENT,
    PINGPONG,
    PLAN,
    SETTINGS,
    SHAPES,
    SPECIFICATIONS,
    TOPOLOGIES,
    TREES,
    UNEQUAL,
    WFFORMAT,
)

Read = Callable[[Path], object]


@dataclass(frozen=True)
class Reader:
    """What reads a file, and files that it reads."""

    name: str
    read: Read
    seeds: tuple[bytes, ...]


@cache
def readers() -> tuple[Reader, ...]:
    """All of them, in a fixed order."""
    platforms, networks = _shipped("platforms"), _shipped("networks")
    learnt_workloads, learnt_platforms = beside.learnt()
    platforms = (*platforms, *learnt_platforms)
    written = (dump_json(_small(n).workload).encode() for n in (0, 1))
    workloads = (*_shipped("examples"), *written, *learnt_workloads)
    projects = tuple(dump_project(one).encode() for one in (*map(_small, range(3)), _deciding()))
    packed = gzip.compress(WFFORMAT[0], mtime=0)
    anything = (*projects, *workloads, *platforms, *WFFORMAT, packed)
    applications, measured = _shipped("applications"), _shipped("measurements")
    return (
        Reader("project", read_project, projects),
        Reader("platform", _platform, platforms),
        Reader("workload", _workload, workloads),
        Reader("wfformat", read_workload, (*WFFORMAT, packed)),
        Reader(
            "others",
            read_workload,
            tuple(
                text.encode() for name, text in small_files.FILES.items() if name != "dslab-system"
            ),
        ),
        Reader("sites", _site, tuple(text.encode() for text in site_files.SITES.values())),
        Reader("anything", _anything, anything),
        Reader("machines", _machines, (*platforms, *projects, *WFFORMAT)),
        Reader("network", read_interconnect, networks),
        Reader("dvsm network", read_dvsm_network, _shipped("dvsm_networks")),
        Reader("application", read_application, applications),
        Reader("counts", _counts, _counted()),
        Reader("ping-pong", _pingpong, PINGPONG),
        Reader("communication", read_communication, MATRICES),
        Reader("mapping", lambda path: read_mapping(str(path)), (*MAPPING, *UNEQUAL)),
        Reader("hosts", read_hosts, HOSTS),
        Reader("capacities", read_capacities, HOSTS),
        Reader("topology", read_topology, TOPOLOGIES),
        Reader("tree", read_tree, (*TREES, *TOPOLOGIES[:2], *SPECIFICATIONS)),
        Reader("measurements", read_measurements, (*measured, *MEASURED, *EXTRAP)),
        Reader("allocation", _allocation, PLAN),
        Reader("decisions", _decisions, _decided()),
        Reader("plan", lambda path: read_planned(str(path), None, None), (*PLAN, *projects)),
        Reader("settings", _settings, SETTINGS),
        Reader("lists", _lists, LISTS),
        Reader("campaign", beside.read_planned, _shipped("campaigns")),
        Reader("campaign record", record_in, (_record(),)),
        Reader("campaign results", beside.read_results, beside.results()),
        Reader("shapes", _shapes, (*SHAPES, *SPECIFICATIONS)),
        Reader("run record", _run, beside.records()),
        Reader("run record gone on", beside.go_on, beside.records()),
        Reader("calibrations", beside.learn, (*beside.records(), *_traces())),
        Reader("dask workers", beside.read_workers, (logs.dask_workers().encode(),)),
        Reader("dask", _run, tuple(one.encode() for one in _dask_logs())),
        Reader("trace", _run, _traces()),
        Reader("parsl", _run, (logs.parsl_database(), logs.parsl_database(ended=False))),
        *_logs(),
        *_questions(projects, anything),
    )


def _questions(projects: tuple[bytes, ...], anything: tuple[bytes, ...]) -> tuple[Reader, ...]:
    """The command line, about files of all kinds."""
    held = questions.held_files()
    others = (text.encode() for text in (*small_files.FILES.values(), *site_files.SITES.values()))
    more = (*held.values(), *others, *_traces(), *PINGPONG, MEASUREMENT)
    asked = (held["project"], *projects)
    mappings = (*MAPPING, *UNEQUAL)
    return (
        Reader("project with resources", read_project, (held["project"],)),
        Reader("workload with variants", _workload, (held["workload"],)),
        Reader("platform with resources", _platform, (held["platform"],)),
        Reader("asked about a project", questions.about_project, asked),
        Reader("asked for advice", questions.about_advice, (held["project"],)),
        Reader("asked to open", questions.about_anything, (*anything, *more)),
        Reader("asked about a tree", questions.about_tree, (*TOPOLOGIES[:2], *SPECIFICATIONS)),
        Reader("asked about a mapping", questions.about_mapping, mappings),
        Reader("arguments", questions.arguments, questions.LINES),
    )


def _logs() -> tuple[Reader, ...]:
    """The logs of engines."""
    snakemakes = (*log_seeds.BENCHMARKS, *log_seeds.databases())
    return (
        Reader("snakemake", snakemake.READER.read, snakemakes),
        Reader("snakemake metadata", log_seeds.read_metadata, log_seeds.METADATA),
        Reader("sacct", slurm_accounting.READER.read, log_seeds.ACCOUNTING),
        Reader("jobcomp", slurm_jobcomp.READER.read, log_seeds.JOBCOMP),
        Reader("nextflow trace", nextflow.READER.read, log_seeds.TRACES),
        Reader("wfformat execution", wfformat.READER.read, log_seeds.EXECUTIONS),
    )


def _shipped(folder: str) -> tuple[bytes, ...]:
    """The files of a shelf of resources, small ones."""
    files = sorted((Path(resources.__file__).parent / folder).iterdir())
    kept = (".toml", ".csv", ".json")
    listed = ("catalogue.toml", "examples.toml")  # what there is, for the shelf itself
    found = (file.read_bytes() for file in files if file.suffix in kept and file.name not in listed)
    return tuple(content for content in found if len(content) < 20_000)


@cache
def _small(place: int) -> Project:
    """A project of a few tasks."""
    return load_example(("two-machines-loaded", "campaign", "solvers")[place])


@cache
def _deciding() -> Project:
    """A project whose plan decides nodes, blocks and a tree."""
    return replace(choosing(), plan=decided().plan)


def _decided() -> tuple[bytes, ...]:
    """Plans of that project in files: nodes and shapes, and an MRNet topology."""
    project = _deciding()
    workload, platform = project.workload, project.platform
    (tree,) = project.plan.overlays
    assert tree is not None
    apart = OverlayPlan(tree.fanouts, ("svc", "alewife") * 4)
    plans = (project.plan, replace(project.plan, overlays=(apart,)))
    return tuple(json.dumps(plan_table(plan, workload, platform)).encode() for plan in plans)


@cache
def _studies() -> tuple[Study, ...]:
    found = (_study(question.module) for question in QUESTIONS.values())
    return tuple(study for study in found if not study.needs_problem)


def _study(module: str) -> Study:
    study: Study = import_module(module).STUDY
    return study


def _counted() -> tuple[bytes, ...]:
    application = shipped_application("sor")
    names = [kind.name for kind in application.operations]
    text = dump_counts(application.phases, names)
    head = "\n".join(text.split("\n")[:40]) + "\n"
    return (text.encode()[:20_000], head.encode())


def _dask_logs() -> tuple[str, ...]:
    columns = logs.dask_columns(logs.dask_records())
    old = {**columns, "start": logs.packed(columns["start"])}
    return (logs.dask_stream(), logs.dask_report(logs.dask_map()), logs.dask_report(old))


def _traces() -> tuple[bytes, ...]:
    events = json.dumps(logs.trace_events())
    return (events.encode(), f'{{"traceEvents": {events}}}'.encode(), events[:-1].encode())


def _run(path: Path) -> None:
    """What is read can be put onto a workload."""
    for run in read_runs([path]):
        matched(run, diamond())


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "surrogateescape")


def _platform(path: Path) -> None:
    """What is read can be written, and is read back as it was."""
    found = read_platform(path)
    assert parse_platform(dump_platform(found)) == found


def _workload(path: Path) -> None:
    found = read_workload(path).workload
    assert workload_from(json.loads(dump_json(found))) == found


def _anything(path: Path) -> None:
    found = open_file(path).project
    assert parse_project(dump_project(found)) == found


def _site(path: Path) -> object:
    """Beside the hosts of a site, as parts of one are opened."""
    hosts = path.with_name("hosts")
    hosts.write_text(site_files.HOSTS + "n01 slots=4\n", encoding="utf-8")
    return open_files((hosts, path))


def _machines(path: Path) -> object:
    return with_platform(first_project(), path)


def _counts(path: Path) -> object:
    names = [kind.name for kind in shipped_application("sor").operations]
    return parse_counts(_text(path), names, "counts")


def _pingpong(path: Path) -> object:
    measured = read_pingpong(path)
    return measured.line(1.0), measured.line(1e6)


def _allocation(path: Path) -> object:
    return read_allocation(str(path), _small(0).problem())


def _decisions(path: Path) -> None:
    """What is read can be written, and is read back as it was."""
    project = _deciding()
    plan = read_allocation(str(path), project.problem())
    table = plan_table(plan, project.workload, project.platform)
    assert plan_from(json.loads(json.dumps(table)), project.workload, project.platform) == plan


def _settings(path: Path) -> object:
    """A line for each setting, the first naming the study."""
    first, *lines = _text(path).split("\n") or [""]
    studies = _studies()
    study = next((one for one in studies if one.name == first.strip()), studies[len(first) % 3])
    return parse_settings(study.record, [line for line in lines if line])


def _lists(path: Path) -> object:
    text = _text(path)
    kind, _, rest = text.partition(":")
    if kind == "pairs":
        return pairs(rest, "setting")
    return parse_capacities(rest) if kind == "hosts" else number_list(rest, "setting")


def _record() -> bytes:
    """What a folder of results says of itself."""
    path = campaign_path("lists")
    told = replace(
        record_of(planned(read_campaign(path), path.parent)), begun="then", gone_on="now"
    )
    return dumped(replace(told, computed_with=((0, (("numpy", "2"),)),))).encode()


def _shapes(path: Path) -> object:
    text = _text(path)
    kind, colon, _ = text.partition(":")
    if colon and kind.strip() in {"b", "k", "g"}:
        return parse_spec(text)
    return chosen_network("paragon", text)
