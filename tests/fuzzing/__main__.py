"""``python -m tests.fuzzing N [SEED [FIRST]]``: try N mutated files and print what was found."""

from __future__ import annotations

import sys

from tests.fuzzing.running import Outcome, run


def main() -> int:
    """Run, telling how far it is; status 1 if something was found."""
    cases, seed, first = (*map(int, sys.argv[1:]), *(0, 0)[len(sys.argv) - 2 :])
    found, told = Outcome(), 0
    for found in run(cases, seed, first):
        done = found.count.total() + len(found.findings)
        print(f"{done:,} of {cases:,}: {dict(found.count)}, {len(found.findings)} findings",
              flush=True)  # fmt: skip
        for number, reader, what in found.findings[told:]:
            print(f"  case {seed}/{number}, {reader}: {what}", flush=True)
        told = len(found.findings)
    return 1 if found.findings else 0


if __name__ == "__main__":
    sys.exit(main())
