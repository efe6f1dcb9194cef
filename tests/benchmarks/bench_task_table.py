"""Speed of pasted tables of tasks: ``python -m tests.benchmarks.bench_task_table``.

Each row runs after the two rows above it. Reading, and putting the tasks into a project.
"""

from __future__ import annotations

from time import process_time

from advisor.project.opening import first_project
from advisor.project.task_table import propose
from advisor.project.task_table_edits import applied

SIZES = (100, 1_000, 10_000)


def table(rows: int) -> str:
    """A table of so many rows."""
    lines = ["name\tminutes\tcores\tafter\tGB"]
    for at in range(rows):
        after = " ".join(f"job{one}" for one in range(max(0, at - 2), at))
        lines.append(f"job{at}\t{at % 50 + 1}\t1\t{after}\t0.5")
    return "\n".join(lines)


def main() -> None:
    """Time both parts and print."""
    print("\nTables of tasks, s of processor time")
    print(f"{'rows':>8}{'read':>10}{'add':>10}")
    for rows in SIZES:
        text = table(rows)
        begin = process_time()
        proposal = propose(text)
        _ = proposal.errors
        read = process_time()
        _ = applied(first_project(), proposal)
        print(f"{rows:>8,}{read - begin:>10.3f}{process_time() - read:>10.3f}")


if __name__ == "__main__":
    main()
