"""Small files that are read as they are: what no shipped file is an example of."""

from __future__ import annotations

import json

_TASKS = [
    {"name": "split", "id": "split_1", "parents": [], "children": ["join_1"],
     "inputFiles": ["in.txt"], "outputFiles": ["a", "b"]},
    {"name": "join", "id": "join_1", "parents": ["split_1"], "children": [],
     "inputFiles": ["a", "b"], "outputFiles": ["out"]},
]  # fmt: skip
_RUNS = [
    {"id": "split_1", "runtimeInSeconds": 3.5, "coreCount": 1, "machines": ["node1"],
     "command": {"program": "split", "arguments": ["-n", "2"]}},
    {"id": "join_1", "runtimeInSeconds": 1, "machines": ["node2"]},
]  # fmt: skip
_MACHINES = [
    {"nodeName": "node1", "cpu": {"coreCount": 4, "speedInMHz": 2400, "vendor": "x"}},
    {"nodeName": "node2", "cpu": {"coreCount": 8, "speedInMHz": 3000}, "memoryInBytes": 2**33},
]
_NEW = {
    "name": "small", "schemaVersion": "1.5",
    "workflow": {
        "specification": {
            "tasks": _TASKS,
            "files": [{"id": name, "sizeInBytes": 1000} for name in ("in.txt", "a", "b", "out")],
        },
        "execution": {"makespanInSeconds": 5, "tasks": _RUNS, "machines": _MACHINES},
    },
}  # fmt: skip
_OLD_FILES = [{"link": "output", "name": "a", "size": 10}, {"link": "input", "name": "b"}]
_OLD = {
    "name": "old", "schemaVersion": "1.3",
    "workflow": {
        "makespan": 5,
        "tasks": [
            {"name": "one", "type": "compute", "runtime": 2.5, "parents": [], "cores": 1,
             "files": _OLD_FILES, "machine": "n1"},
            {"name": "two", "type": "compute", "runtime": 1, "parents": ["one"],
             "files": [{"link": "input", "name": "a", "size": 10}]},
        ],
        "machines": [{"nodeName": "n1", "cpu": {"count": 2, "speed": 1200}}],
    },
}  # fmt: skip
WFFORMAT = tuple(json.dumps(one).encode() for one in (_NEW, _OLD))

PINGPONG = (
    b"size_bytes,seconds_one_way,repetition\n"
    + b"".join(b"%d,%.9f,1\n" % (2**k, 1e-5 + 2**k / 1e9) for k in range(16)),
    b"size_bytes;seconds_round_trip\n1;0,00002\n1024;0,00003\n65536;0,0002\n",
)
MATRICES = (
    b"0,5,0\n5,0,7\n0,7,0\n",
    b",a,b,c\na,0,1,2\nb,1,0,3\nc,2,3,0\n",
    b"source,target,bytes,messages\n0,1,100,2\n1,2,50,1\n2,0,1e3,4\n",
    b"rank1 rank2 100\nrank2 rank10 5\n# comment\nrank10 rank1 7.5\n",
    b'"a b";"c";1,5\n"c";"a b";2,25\n',
)
_FLOWS = {"from": [0, 1, 2], "to": [1, 2, 3], "bytes": [10, 20.5, 30]}
_PLACED = {
    "format": "placewise-mapping", "version": 1, "network": {"kind": "mesh", "dims": [2, 2]},
    "order": "row-major", "nodes": [0, 1, 3, 2], "labels": ["a", "b", "c", "d"], "flows": _FLOWS,
}  # fmt: skip
_CORES = _PLACED | {"network": {"kind": "mesh", "dims": [2], "cores": 2}, "nodes": [0, 0, 1, 1]}
MAPPING = tuple(json.dumps(one).encode() for one in (_PLACED, {"mapping": _CORES}))
_THREE_AND_ONE = _PLACED | {
    "network": {"kind": "mesh", "dims": [2], "cores": [3, 1]}, "nodes": [0, 1, 0, 0],
    "places": [0, 3, 1, 2],
}  # fmt: skip
UNEQUAL = (json.dumps(_THREE_AND_ONE).encode(),)
_SURE = {"value": 1000.0, "low": 990.0, "high": 1010.0}
MEASUREMENT = json.dumps({
    "format": "placewise-measurement", "version": 1,
    "host": {"name": "here", "cores": 2, "memory_bytes": 2**30, "speed": 1000.0},
    "state": {"load": 0.0, "quota": 0.0}, "speeds": {"0": _SURE, "1": _SURE}, "disk": _SURE,
}).encode()  # fmt: skip

HOSTS = (
    b"node[01-08]:16,login1:4\nn1 slots=2\nn1\n# end\n",
    b"a\nb:4\nr[1-2]n[01-04,07].site.org 8\n",
)
TOPOLOGIES = (
    b"fe:0 => a:0 b:0 ;\na:0 => a:1 a:2 a:3 ;\nb:0 => b:1 ; # leaves\n",
    b"localhost:0 =>\n\tlocalhost:1\n\tlocalhost:2 ;\n",
    b"10.0.0.1:0 ;\n",
)
SPECIFICATIONS = (b"b:4^3", b"b:2x4x8", b"k:2@16", b"g:3:2,0,5", b"g:2:2x6")
TREES = (json.dumps({"tree": {"name": "balanced", "spec": "g:3:2,0,5"}, "more": [1]}).encode(),)
MEASURED = (
    b"P,time (s)\n1,100\n2,52\n4,27.5\n4,27\n8,16\n",
    b'cores;speedup;sd\n1;"1,0";0\n2;1,9;0,1\n4;3,4;0,2\n',
    b"P\ttime (ms)\ttime (ms)\n1\t10\t11\n2\t6\t\n",
)
_EXTRAP = {"params": {"p": 4}, "metric": "time", "value": 1.5, "callpath": "main"}
EXTRAP = (
    b"PARAMETER p\nPOINTS (1) (2) (4) (8)\nMETRIC time\nREGION main\n"
    b"DATA 10 11\nDATA 6 6.5\nDATA 4\nDATA 3\n",
    b"\n".join(json.dumps(_EXTRAP | {"params": {"p": p}}).encode() for p in (1, 2, 4)),
    json.dumps(
        {"parameters": ["p"],
         "measurements": {"main": {"time": [{"point": [p], "values": [9 / p]} for p in (1, 2)]}}}
    ).encode(),
)  # fmt: skip
PLAN = (
    b'{"A": "M1", "B": "M2"}',
    b'{"format": "placewise-plan", "version": 1, "allocation": {"A": "M1", "B": "M1"}, "order": '
    b'["A", "B"], "strategy": "heft", "processors": {}, "sources": {"workload": "w.toml", '
    b'"platform": "two-machines"}, "model": "exact", "sharing": "fair"}',
)
SETTINGS = (
    b"trees\nback_ends=512\nfanout=16\nlatency=6\nhosts=n[1-8]:16\noverhead=auto",
    b"styles\nnetwork=paragon\ndims=8x4\nunit=us\nhotspot_share=0.1",
    b"mapping\nnetwork=paragon\ndims=8x4\npattern=ring\nprocesses=32",
    b"blocks\nnetwork=alewife\nn=256\nprocessors=16",
    b"scaling\nsource=LogP\nprocessors=1024\nthink_time=3e-3",
    b"sharing\ncontenders=0.5/0.3, 2x0.25\nresource=link\ndelays=0.3, 0.7\nmost=8",
    b"shared_memory\napplication=water\nnetwork=fast-ethernet\nsignal=2e-3",
)
LISTS = (b"number:5x40, 160; 1e3 7.5", b"pairs:0.5/0.3, 2x0.25, 1", b"hosts:n[01-08]:4,m 2")
SHAPES = (b"8x8x8 torus", b"32 crossbar", b"16x4 fat tree 2:1", b"4x8x9 dragonfly", b"2x2 mesh")
