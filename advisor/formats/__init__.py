"""Files in and out: workloads, WfFormat and projects."""

from advisor.formats.project_file import read_project, write_project
from advisor.formats.workload_file import WorkloadFile, read_workload, write_workload

__all__ = ["WorkloadFile", "read_project", "read_workload", "write_project", "write_workload"]
