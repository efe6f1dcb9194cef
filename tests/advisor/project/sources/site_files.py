"""One small file of every kind that tells of a site's machines, by the name of its source."""

from __future__ import annotations

SLURM_CONF = """ClusterName=lab
SlurmctldHost=head
NodeName=DEFAULT State=UNKNOWN
NodeName=n[01-02] CPUs=32 Sockets=2 CoresPerSocket=8 ThreadsPerCore=2 \\
  RealMemory=1000 MemSpecLimit=200 Feature=ib  # CPUs are threads
NodeName=g1 CPUs=8 CoreSpecCount=2 Boards=1 SocketsPerBoard=2 CoresPerSocket=4 Gres=gpu:a100:4
NodeName=old CPUs=4 State=DOWN
PartitionName=all Nodes=ALL
"""
SCONTROL = """NodeName=n01 Arch=x86_64 CoresPerSocket=8
   CPUAlloc=12 CPUTot=32 CPULoad=11.46 ActiveFeatures=ib
   OS=Linux 6.1.0 #1 SMP
   RealMemory=1000 Sockets=2 Boards=1 MemSpecLimit=200
   State=MIXED ThreadsPerCore=2 Gres=(null)

NodeName=n02 Arch=x86_64 CoresPerSocket=8
   CPUAlloc=0 CPUTot=32 RealMemory=1000 Sockets=2
   State=IDLE+DRAIN ThreadsPerCore=2
"""
PARTITION = "PartitionName=batch\n   AllowGroups=ALL AllowAccounts=ALL\n   Nodes=n[01-02]\n"
GRES = "# GPUs\nNodeName=n01 Name=gpu Type=a100 File=/dev/nvidia[0-3]\n"
TOPOLOGY = """SwitchName=leaf1 Nodes=n01,g1
SwitchName=leaf2 Nodes=n02
SwitchName=top Level=1 Nodes=n[01-02],g1 Switches=leaf[1-2]
"""
TOPOLOGY_YAML = """---
- topology: flat
  cluster_default: false
- topology: tree
  cluster_default: true
  tree:
    switches:
      - {switch: top, children: "leaf[1-2]"}
      - {switch: leaf1, nodes: "n01,g1"}
      - {switch: leaf2, nodes: n02}
"""
SINFO = """NODELIST|PARTITION|CPUS|SOCKETS|CORES|THREADS|MEMORY|GRES|STATE
n01|batch*|32|2|8|2|1000|(null)|mixed
n01|debug|32|2|8|2|1000|(null)|mixed
n02|batch*|32|2|8|2|1000|gpu:a100:4(S:0-1)|drained
n03|batch*|4|1|4|1|500|(null)|idle
"""
SINFO_JSON = """{"meta": {}, "nodes": [
 {"name": "n01", "sockets": 2, "cores": 8, "threads": 2, "cpus": 32, "real_memory": 1000,
  "state": "mixed", "state_flags": [], "gres": ""},
 {"name": "n02", "sockets": 2, "cores": 8, "threads": 2, "cpus": 32, "real_memory": 1000,
  "state": ["IDLE", "DRAIN"], "gres": "gpu:2"}]}"""
HWLOC = """<?xml version="1.0"?><!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0"><object type="Machine" cpuset="0x0000000f" allowed_cpuset="0x00000007">
<info name="HostName" value="box"/>
<object type="NUMANode" cpuset="0xf" local_memory="4000"/>
<object type="NUMANode" cpuset="0x0" local_memory="1000" subtype="HBM"/>
<object type="Core" cpuset="0x00000003"><object type="PU" cpuset="0x1"/></object>
<object type="Core" cpuset="0x00000004"><object type="PU" cpuset="0x4"/></object>
<object type="Core" cpuset="0x00000008"><object type="PU" cpuset="0x8"/></object>
</object><cpukind cpuset="0x3"/><cpukind cpuset="0xc"/></topology>"""
SIMGRID = """<?xml version='1.0'?><platform version="4.1"><zone id="z" routing="Full">
<host id="a" speed="1Gf" core="4"/><host id="b" speed="500Mf"/><router id="r"/><router id="dead"/>
<link id="1" bandwidth="125MBps" latency="50us"/><link id="2" bandwidth="1Gbps" latency="1ms"/>
<route src="a" dst="r"><link_ctn id="1"/></route><route src="r" dst="b"><link_ctn id="2"/></route>
<route src="a" dst="b"><link_ctn id="1"/><link_ctn id="2"/></route>
<route src="dead" dst="r"><link_ctn id="2"/></route>
</zone></platform>"""
LSCPU = """Architecture:          x86_64
CPU(s):                16
Thread(s) per core:    2
Core(s) per socket:    4
Socket(s):             2
Model name:            A processor
BogoMIPS:              5192.29
"""
LSCPU_JSON = """{"lscpu": [{"field": "CPU(s):", "data": "16", "children": [
 {"field": "Model name:", "data": "P", "children": [
  {"field": "Core(s) per socket:", "data": "4"}, {"field": "Socket(s):", "data": "2"}]}]}]}"""
CPUINFO = """processor\t: 0
physical id\t: 0
core id\t\t: 0

processor\t: 1
physical id\t: 0
core id\t\t: 0

processor\t: 2
physical id\t: 0
core id\t\t: 1
"""
KUBERNETES = """{"apiVersion": "v1", "kind": "List", "items": [{"kind": "Node",
 "metadata": {"name": "k1", "labels": {}}, "spec": {},
 "status": {"capacity": {"cpu": "8"}, "allocatable": {"cpu": "7500m", "memory": "2Ki",
 "nvidia.com/gpu": "2"}, "conditions": [{"type": "Ready", "status": "True"}]}},
 {"kind": "Node", "metadata": {"name": "k2"}, "spec": {"unschedulable": true},
  "status": {"capacity": {"cpu": "8"}}}]}"""
OPENPBS = """{"timestamp": 1, "pbs_version": "2022.1", "nodes": {
 "x1": {"state": "free", "pcpus": 64, "resources_available": {"ncpus": 32, "mem": "4kb"}},
 "x2": {"state": "down", "pcpus": 64, "resources_available": {"ncpus": 32}}}}"""
DASK = """{"type": "Scheduler", "n_workers": 3, "workers": {
 "tcp://127.0.0.1:1": {"name": "w1", "nthreads": 2, "memory_limit": 500,
  "metrics": {"bandwidth": {"total": 100000000}}},
 "tcp://127.0.0.1:2": {"name": 0, "nthreads": 4, "memory_limit": 500}}}"""
WFCOMMONS = """{"name": "x", "schemaVersion": "1.5", "machines": [
 {"nodeName": "c1", "cpu": {"coreCount": 4, "speedInMHz": 1200}, "memoryInBytes": 8000000000},
 {"nodeName": "c2", "cpu": {"coreCount": 4, "speedInMHz": 2600}, "memoryInBytes": 8000000000},
 {"nodeName": "c3", "cpu": {"coreCount": 8, "speedInMHz": 5200}}]}"""
TABLE = "Host;Cores;RAM (GB);Speed;Rack;GPUs\nw1;16;64;2,5;A;\nw2;8;;1;B;2\n"
HOSTS = "# hosts\nn1 slots=4 max_slots=8\nn2 slots=2\nn1 slots=1\n"
OSU_LATENCY = """# OSU MPI Latency Test v7.5
# Size          Latency (us)
0                       2.00
1000                    3.00
2000                    4.00
4000                    6.00
8000                   10.00
"""
NETGAUGE = """# Info:   (0): Netgauge v2.4.6 MPI enabled
Testing 1 bytes 100 times:
 L=2.000000  s=1  o_s=0.02  o_r=0.15  g=-nan  G=-nan (-nan GiB/s) lsqu(g,G)=-nan 
Testing 1025 bytes 100 times:
 L=2.000000  s=1025  o_s=0.39  o_r=0.39  g=0.11  G=0.001000 (7.8 GiB/s) lsqu(g,G)=-nan 
Testing 2049 bytes 100 times:
 L=2.000000  s=2049  o_s=0.44  o_r=0.46  g=-0.15  G=0.000500 (15.6 GiB/s) lsqu(g,G)=0.099 
"""  # noqa: W291 - as it is printed
OSU_BANDWIDTH = (
    "# MPI Bandwidth Test\n# Size [B]        Latency [us]\n  1   0.15\n  4096   3000.0\n"
)
IMB = """#   Intel(R) MPI Benchmarks 2021.11, MPI-1 part
# Benchmarking PingPong
       #bytes #repetitions      t[usec]   Mbytes/sec
            0          300         1.00         0.00
         1000          300         2.00       500.00
         2000          300         3.00       666.00
         4000          300         5.00       800.00
         8000          300       900.00         8.00
# Benchmarking Sendrecv
       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]   Mbytes/sec
         1000          300         9.00         9.00         9.00       500.00
"""
NETPIPE = "       1 0.40   0.00002001\n    1000 0.40   0.00003000\n    2000 0.40   0.00004000\n"
IPERF3 = '{"start": {"connected": []}, "end": {"sum_received": {"bits_per_second": 8e9}}}'
QPERF = "tcp_lat:\n    latency  =  11.7 us\ntcp_bw:\n    bw   =   723 MB/sec\n"
SOCKPERF = "sockperf: == version ==\nsockperf: Summary: Latency is 30.321 usec\n"
PIDSTAT = """Linux 6.1.0 (n1) \t11/22/26 \t_x86_64_\t(2 CPU)

# Time        UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command
07:00:44        0        10   30.00    0.00    0.00   40.00   30.00     1  render a
07:00:44        0        11    0.50    0.00    0.00    0.00    0.50     1  bash
# Time        UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command
07:00:46        0        10   50.00    0.00    0.00   50.00   50.00     1  render a
"""
SADF = """{"sysstat": {"hosts": [{"nodename": "n01", "number-of-cpus": 4, "statistics": [
{"timestamp": {"interval": 2}, "cpu-load": [
 {"cpu": "all", "usr": 30.0, "sys": 2.0, "iowait": 8.0, "steal": 10.0, "idle": 50.0},
 {"cpu": "0", "usr": 90.0, "idle": 10.0}], "queue": {"runq-sz": 2, "ldavg-1": 9.5}},
{"timestamp": {"interval": 2}, "cpu-load": [
 {"cpu": "all", "usr": 43.0, "sys": 5.0, "iowait": 0.0, "steal": 0.0, "idle": 52.0}],
 "queue": {"runq-sz": 3, "ldavg-1": 9.5}}]}]}}
"""
SADF_CSV = """\
# hostname;interval;timestamp;CPU;%usr;%nice;%sys;%iowait;%steal;%irq;%soft;%guest;%gnice;%idle
n01;2;2026-11-22 06:51:57 UTC;-1;40.00;0.00;10.00;5.00;5.00;0.00;0.00;0.00;0.00;40.00
n01;2;2026-11-22 06:51:59 UTC;-1;30.00;0.00;0.00;0.00;0.00;0.00;0.00;0.00;0.00;70.00
"""
PROC_STAT = """cpu  1000 0 500 8000 400 0 0 100 0 0
cpu0 500 0 250 4000 200 0 0 50 0 0
cpu1 500 0 250 4000 200 0 0 50 0 0
ctxt 7917087
procs_running 3
procs_blocked 0
"""
NODE_EXPORTER = """# HELP node_cpu_seconds_total Seconds the CPUs spent in each mode.
# TYPE node_cpu_seconds_total counter
node_cpu_seconds_total{cpu="0",mode="idle"} 40
node_cpu_seconds_total{cpu="0",mode="iowait"} 2
node_cpu_seconds_total{cpu="0",mode="steal"} 0.5
node_cpu_seconds_total{cpu="0",mode="user"} 7.5
node_cpu_seconds_total{cpu="1",mode="idle"} 40
node_cpu_seconds_total{cpu="1",mode="iowait"} 2
node_cpu_seconds_total{cpu="1",mode="steal"} 0.5
node_cpu_seconds_total{cpu="1",mode="user"} 7.5
node_load1 14.26
node_procs_running 3
node_uname_info{domainname="(none)",machine="x86_64",nodename="n01",release="6.1.0"} 1
"""
SITES = {
    "sadf": SADF, "sadf-csv": SADF_CSV, "proc-stat": PROC_STAT, "node-exporter": NODE_EXPORTER,
    "pidstat": PIDSTAT,
    "osu-latency": OSU_LATENCY, "osu-bandwidth": OSU_BANDWIDTH, "imb": IMB,
    "netgauge": NETGAUGE, "netpipe": NETPIPE,
    "iperf3": IPERF3, "qperf": QPERF, "sockperf": SOCKPERF,
    "slurm-conf": SLURM_CONF, "slurm-nodes": SCONTROL, "slurm-partitions": PARTITION,
    "slurm-gres": GRES, "slurm-topology": TOPOLOGY, "slurm-topology-yaml": TOPOLOGY_YAML,
    "sinfo": SINFO, "sinfo-json": SINFO_JSON, "hwloc": HWLOC, "simgrid": SIMGRID, "lscpu": LSCPU,
    "lscpu-json": LSCPU_JSON, "cpuinfo": CPUINFO, "kubernetes": KUBERNETES, "openpbs": OPENPBS,
    "dask-workers": DASK, "wfformat-machines": WFCOMMONS, "hosts-file": HOSTS,
    "machine-table": TABLE,
}  # fmt: skip
