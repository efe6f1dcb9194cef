"""Make the sky mosaic examples: ``python -m resources.make_examples``.

A mosaic of overlapping images: every image is projected, every overlapping pair is compared, one
task fits a correction, every image is corrected, and the sum is drawn. Sizes and times are drawn
from a fixed seed, so that the files come out the same on every machine. One mosaic has commands
(`resources.programs.mosaic`): its times are guesses by kind, which runs put right.
"""

from __future__ import annotations

import json
import random
from itertools import product

from resources import folder
from resources.programs import mosaic as program

# name → rows and columns of images
MOSAICS = {"mosaic-small": (3, 4), "mosaic-large": (13, 14)}
_IMAGE_BYTES = 8_000_000
_SEED = 1996

RUNNING = "mosaic"
# kind → guessed seconds on a machine of speed 1, and bytes of the result; the guesses forget that
# every task starts a Python
_GUESSES = {
    "raw": (0.05, 1_500_000),
    "project": (0.2, 1_500_000),
    "diff": (0.08, 200),
    "model": (0.01, 300),
    "background": (0.05, 1_500_000),
    "add": (0.1, 1_500_000),
    "shrink": (0.05, 400_000),
    "preview": (0.03, 50_000),
    "archive": (0.1, 1_400_000),
}

Row = dict[str, object]


def mosaic(name: str, rows: int, columns: int) -> str:
    """The workload file of a mosaic, as JSON with one task or flow a line.

    Parameters
    ----------
    name : str
        Of the workload.
    rows, columns : int
        Images; each overlaps its up to eight neighbours.
    """
    rng = random.Random(_SEED)
    images = list(product(range(rows), range(columns)))
    pairs = [
        (first, second)
        for first, second in product(range(len(images)), repeat=2)
        if first < second and _overlap(images[first], images[second])
    ]
    tasks: list[Row] = []
    flows: list[Row] = []

    def task(kind: str, number: int | None, work: float) -> str:
        title = kind if number is None else f"{kind}-{number + 1}"
        tasks.append({"name": title, "work": round(work * rng.uniform(0.7, 1.3), 2), "kind": kind})
        return title

    def flow(source: str, target: str, size: float) -> None:
        size = round(size * rng.uniform(0.9, 1.1))
        flows.append({"from": source, "to": target, "data_sets": [[1, size]]})

    projected = [task("project", number, 14.0) for number in range(len(images))]
    differences = [task("difference", number, 2.5) for number in range(len(pairs))]
    fit = task("fit", None, 0.05 * len(pairs))
    model = task("model", None, 0.4 * len(images))
    corrected = [task("correct", number, 2.0) for number in range(len(images))]
    table = task("table", None, 0.1 * len(images))
    total = task("add", None, 1.5 * len(images))
    picture = task("draw", None, 5.0)
    for (first, second), difference in zip(pairs, differences, strict=True):
        flow(projected[first], difference, 2 * _IMAGE_BYTES)
        flow(projected[second], difference, 2 * _IMAGE_BYTES)
        flow(difference, fit, 300)
    flow(fit, model, 50 * len(pairs))
    for image, correction in zip(projected, corrected, strict=True):
        flow(image, correction, 2 * _IMAGE_BYTES)
        flow(model, correction, 2000)
        flow(correction, table, 500)
        flow(correction, total, 2 * _IMAGE_BYTES)
    flow(table, total, 100 * len(images))
    flow(total, picture, _IMAGE_BYTES * len(images))
    return _text(name, task=tasks, flow=flows)


def running() -> str:
    """The workload file of the mosaic whose commands can be run."""
    tasks: list[Row] = []
    files: list[Row] = []
    for name, needs in program.NEEDS.items():
        kind = name.rstrip("0123456789")
        work, size = _GUESSES[kind]
        command = f"python -m {program.__name__} {name}"
        row: Row = {"name": name, "work": work, "kind": kind}
        row |= {"reads": [f"{one}.npy" for one in needs]} if needs else {}
        tasks.append(row | {"writes": [f"{name}.npy"], "command": command})
        files.append({"name": f"{name}.npy", "bytes": size})
    return _text(RUNNING, task=tasks, file=files)


def _overlap(first: tuple[int, int], second: tuple[int, int]) -> bool:
    return max(abs(first[0] - second[0]), abs(first[1] - second[1])) == 1


def _text(name: str, **tables: list[Row]) -> str:
    def lines(entries: list[Row]) -> str:
        return "[\n  " + ",\n  ".join(map(json.dumps, entries)) + "\n ]"

    head = f' "format": "placewise-workload",\n "version": 1,\n "name": {json.dumps(name)},\n'
    rest = ",\n".join(f' "{key}": {lines(entries)}' for key, entries in tables.items())
    return f"{{\n{head}{rest}\n}}\n"


def main() -> None:
    """Write all mosaics into the examples' folder."""
    for name, (rows, columns) in MOSAICS.items():
        path = folder("examples") / f"{name}.json"
        path.write_text(mosaic(name, rows, columns), encoding="utf-8")
    (folder("examples") / f"{RUNNING}.json").write_text(running(), encoding="utf-8")


if __name__ == "__main__":
    main()
