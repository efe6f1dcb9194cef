"""One small file of every format of others that opens, by the name of its source."""

from __future__ import annotations

DAX = """<?xml version="1.0"?>
<adag xmlns="http://pegasus.isi.edu/schema/DAX" version="3.6" name="pair">
  <job id="J1" name="cut" runtime="4.5">
    <profile namespace="pegasus" key="cores">2</profile>
    <uses name="in.dat" link="input" size="100"/><uses name="a.dat" link="output" size="2000"/>
  </job>
  <job id="J2" name="join"><uses name="a.dat" link="input"/></job>
  <child ref="J2"><parent ref="J1"/></child>
</adag>"""
PEGASUS = """pegasus: 5.0.4
name: pair
jobs:
- {type: job, name: cut, id: J1, arguments: [-n, 2], profiles: {pegasus: {runtime: 4.5, cores: 2}},
   uses: [{lfn: a.dat, type: output, size: 2000}]}
- {type: job, name: join, id: J2, uses: [{lfn: a.dat, type: input}]}
jobDependencies:
- {id: J1, children: [J2]}
"""
SNAKEMAKE = r"""digraph snakemake_dag {
    graph[bgcolor=white, margin=0];
    node[shape=box, style=rounded];
	0[label = "all", color = "0.40 0.6 0.85", style="rounded"];
	1[label = "sort\nsample: A", style="rounded,dashed"];
	2[label = "sort\nsample: B", style="rounded"];
	1 -> 0
	2 -> 0
}
"""
GENERATED = """digraph G { // of a generator
  a [size="3e9"]; b [size="1e9"]; "the end" [size="0.0"];
  a -> b -> "the end" [size="4e6"];
}
"""
GRAPHML = """<?xml version='1.0'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="d0" for="node" attr.name="runtime" attr.type="double"/>
<key id="d1" for="edge" attr.name="bytes" attr.type="double"/>
<graph edgedefault="directed"><node id="A"><data key="d0">3</data></node>
<node id="B"><data key="d0">5</data></node><edge source="A" target="B"><data key="d1">40</data>
</edge></graph></graphml>"""
NODE_LINK = """{"directed": true, "multigraph": false, "graph": {},
 "nodes": [{"id": "A", "runtime": 3}, {"id": "B", "runtime": 5}],
 "links": [{"source": "A", "target": "B", "bytes": 40}]}"""
STG = """  3
  0 0 0
  1 4 1 0
  2 5 1 1
  3 2 1 1
  4 0 2 2 3
# Critical Path Length: 9
"""
TGFF = """@TASK_GRAPH 0 {
  PERIOD 300
  TASK t0 TYPE 1
  TASK t1 TYPE 0
  ARC a0 FROM t0 TO t1 TYPE 2
}
@PE 0 {
# type version exec_time
  0 0 12.5
  1 0 31.0
}
"""
SAGA = """{"name": "pair", "network": {
 "nodes": [{"name": "n1", "speed": 1}, {"name": "n2", "speed": 2}],
 "edges": [{"source": "n1", "target": "n1", "speed": null},
           {"source": "n1", "target": "n2", "speed": 10}]},
 "task_graph": {"tasks": [{"name": "A", "cost": 1}, {"name": "B", "cost": 4}],
 "dependencies": [{"source": "A", "target": "B", "size": 10}]}}"""
DSLAB_GRAPH = """inputs: [{name: in0, size: 500}]
tasks:
  - {name: A, flops: 100, memory: 1000, inputs: [in0], outputs: [{name: o0, size: 150}]}
  - {name: B, flops: 200, max_cores: 4, inputs: [o0]}
"""
DSLAB_SYSTEM = """resources:
  - {name: node, speed: 10, cores: 4, memory: 8000, count: 2}
  - {name: big, speed: 20, cores: 8}
network: {model: ConstantBandwidth, bandwidth: 1000, latency: 100}
"""
TIMES = "T,P_0,P_1\nT_0,14,16\nT_1,13,19.5\n"
ALIBABA = """M1,1,j_7,1,Terminated,100,182,100,0.3
R2_1,4,j_7,1,Terminated,182,217,100,0.3
J3_1_2,1,j_7,1,Terminated,217,241,100,0.3
task_MTg2,1,j_8,1,Terminated,88954,88960,100,0.6
"""
MERMAID = """flowchart TB
    subgraph " "
    v0["Channel.of"]
    end
    v1([CUT])
    v0 --> v1
    v2(( )) --> v3([JOIN])
    v1 --> v2
"""
PSPLIB = """***********************************************
jobs (incl. supersource/sink ):  5
RESOURCES
  - renewable                 :  2   R
  - nonrenewable              :  0   N
  - doubly constrained        :  0   D
***********************************************
PRECEDENCE RELATIONS:
jobnr.    #modes  #successors   successors
   1        1          2           2   3
   2        1          1           4
   3        1          1           5
   4        1          1           5
   5        1          0
***********************************************
REQUESTS/DURATIONS:
jobnr. mode duration  R 1  R 2
-----------------------------------------------
  1      1     0       0    0
  2      1     3       2    0
  3      1     4       1    1
  4      1     2       2    1
  5      1     0       0    0
***********************************************
RESOURCEAVAILABILITIES:
  R 1  R 2
    2    1
***********************************************
"""
JOB_SHOP = """2 3 1.5
2 2 1 4 2 6 1 3 5
3 1 2 2 2 1 3 3 1 1 2 7
"""
FILES = {
    "psplib": PSPLIB, "flexible-jobs": JOB_SHOP,
    "mermaid": MERMAID,
    "dax": DAX, "pegasus": PEGASUS, "dot": SNAKEMAKE, "graphml": GRAPHML, "node-link": NODE_LINK,
    "stg": STG, "tgff": TGFF, "saga": SAGA, "dslab-dag": DSLAB_GRAPH, "dslab-system": DSLAB_SYSTEM,
    "times": TIMES, "alibaba": ALIBABA,
}  # fmt: skip
