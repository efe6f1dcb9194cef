"""The engines by which this program carries plans out itself, and how: nothing is imported."""

DASK, BASH = "dask", "bash"
ENGINES = {
    DASK: "Dask: a worker for each machine, here or on a running cluster",
    BASH: "Processes on this machine, one a core of each machine",
}
