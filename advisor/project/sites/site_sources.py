"""The kinds of files of sites, each told by its first bytes: a new one is a reader and a line."""

from __future__ import annotations

import re
from collections.abc import Callable

from advisor.project.sites import (
    cluster_json,
    hosts_file,
    hwloc,
    machine_table,
    network_benchmarks,
    process_loads,
    processor_lists,
    simgrid_xml,
    slurm_nodes,
    slurm_topology,
    system_loads,
    workflow_machines,
)
from advisor.project.sources.site import Site, joined, platform_of
from advisor.project.sources.source import Graph, Source
from machines.errors import InputError

_Reader = Callable[[str, str], Site | Graph]


def _source(
    name: str, title: str, suffixes: tuple[str, ...], pattern: bytes, read: _Reader
) -> Source:
    """A kind of file that is told by a pattern, a line of it or more."""
    sign = re.compile(pattern, re.MULTILINE)

    def graph(text: str, where: str) -> Graph:
        try:
            found = read(text, where)
            if isinstance(found, Graph) or not found.whole:
                return found if isinstance(found, Graph) else Graph(None, site=found)
            return Graph(None, *platform_of(joined([found])), found)
        except InputError as error:
            raise error if where in error.where else error.at(where) from None

    return Source(name, title, suffixes, lambda head: bool(sign.search(head)), graph,
                  tasks=False, machines=True)  # fmt: skip


_TEXT, _JSON = (".txt",), (".json",)

SITES: tuple[Source, ...] = (
    _source("slurm-nodes", "scontrol show node", _TEXT, rb"\ANodeName=\S+[ \t]+Arch=",
            slurm_nodes.scontrol),
    _source("slurm-partitions", "scontrol show partition", _TEXT,
            rb"\APartitionName=\S+[ \t]*\r?\n?[ \t]+AllowGroups=", slurm_nodes.partitions),
    _source("slurm-gres", "gres.conf", (".conf",),
            rb"\A(?:[ \t]*(?:#.*|AutoDetect=.*)?\r?\n)*[ \t]*(?:NodeName=\S+[ \t]+)?Name=\w+",
            slurm_nodes.gres),
    _source("slurm-conf", "slurm.conf", (".conf",),
            rb"^[ \t]*(?:SlurmctldHost|ControlMachine|ClusterName)=|"
            rb"^[ \t]*NodeName=(?!\S+[ \t]+(?:Arch|Name)=)",
            slurm_nodes.conf),
    _source("slurm-topology", "topology.conf", (".conf", ".txt"), rb"^[ \t]*SwitchName=",
            slurm_topology.topology),
    _source("slurm-topology-yaml", "topology.yaml", (".yaml", ".yml"),
            rb"\A(?:---[ \t]*\r?\n|#.*\r?\n)*- +topology:", slurm_topology.topology_yaml),
    _source("sinfo", "sinfo", _TEXT, rb"\A(?:[^\n]*\n)?[^\n]*\bNODELIST\b(?![^\n]*\bJOBID\b)",
            slurm_nodes.sinfo),
    _source("sinfo-json", "sinfo --json", _JSON, rb'"real_memory"\s*:', slurm_nodes.sinfo_json),
    _source("hwloc", "hwloc (lstopo)", (".xml",), rb"<topology[\s>]", hwloc.read),
    _source("simgrid", "SimGrid platform", (".xml",), rb"<platform[\s>]", simgrid_xml.read),
    _source("lscpu", "lscpu", _TEXT, rb"\AArchitecture:\s", processor_lists.lscpu),
    _source("lscpu-json", "lscpu -J", _JSON, rb'\A\s*\{\s*"(?:lscpu|cpus)"\s*:',
            processor_lists.lscpu_json),
    _source("cpuinfo", "/proc/cpuinfo", _TEXT, rb"\Aprocessor\s*:\s*\d", processor_lists.cpuinfo),
    _source("kubernetes", "kubectl get nodes", _JSON,
            rb'\A\s*\{(?s:.{0,4000})"kind"\s*:\s*"(?:NodeList|Node)"', cluster_json.kubernetes),
    _source("openpbs", "pbsnodes", _JSON, rb'"pbs_version"\s*:', cluster_json.openpbs),
    _source("dask-workers", "Dask scheduler_info", _JSON,
            rb'\A\s*\{\s*"type"\s*:\s*"Scheduler"', cluster_json.dask),
    _source("wfformat-machines", "Machines of WfCommons", _JSON,
            rb'\A(?!(?s:.*)"workflow")(?s:.{0,400})"machines"\s*:\s*\[\s*\{\s*"nodeName"',
            workflow_machines.read),
    _source("hosts-file", "Open MPI hosts file", ("", ".hosts", ".txt"),
            rb"\A(?:[ \t]*(?:#.*)?\r?\n)*[ \t]*[\w.@-]+[ \t]+(?:slots|max[_-]slots|cpu)[ \t]*=",
            hosts_file.read),
    _source("machine-table", "Table of machines", (".csv", ".tsv", ".txt"), machine_table.SIGN,
            machine_table.read),
    _source("pidstat", "pidstat", _TEXT,
            rb"\ALinux \S+ \([^)\n]+\)[^\n]*\n\s*#?[^\n]*\bPID\b[^\n]*%CPU",
            process_loads.pidstat),
    _source("sadf", "sadf -j", _JSON, rb'\A\s*\{\s*"sysstat"\s*:', system_loads.sadf),
    _source("sadf-csv", "sadf -d", (".csv", ".txt"),
            rb"\A# hostname;interval;timestamp;CPU;%usr", system_loads.sadf_csv),
    _source("proc-stat", "/proc/stat", ("", ".txt"), rb"\Acpu[ \t]+\d+[ \t]+\d+[ \t]+\d+",
            system_loads.proc_stat),
    _source("node-exporter", "node_exporter", (".prom", ".txt"),
            rb"^# (?:HELP|TYPE) (?:go_gc_duration_seconds|node_)", system_loads.node_exporter),
    *(_source(name, title, (".txt", ".out", ".json"), sign, read)
      for name, title, sign, read in network_benchmarks.READERS),
)  # fmt: skip
