"""A small image mosaic, a task at a time: ``python -m resources.programs.mosaic project0``.

Six overlapping images of the sky are taken, projected onto one grid, compared pair by pair with
their neighbours, corrected for what the comparison shows of their backgrounds, and added up. Each
machine has a folder of its own below the present one. A task fetches inputs that lie in the
folder of another machine, as slowly as a network would, then computes, then writes its result.

Machines are emulated, so that two of them can be tried on one computer: what `SLOWER` names waits
after computing, until as much time has gone by as a processor so many times slower would have taken
for it. Moving data is emulated, too: 30 ms and 20 MB/s.
"""

from __future__ import annotations

import os
import struct
import sys
import time
import zlib
from pathlib import Path
from urllib.parse import quote

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # a task holds one core

import numpy as np

IMAGES = 6
SLOWER = {"M2": 2.2}  # machine → times; others are as fast as this computer
STARTUP_S, BANDWIDTH = 0.03, 20e6
HEIGHT, WIDTH = 480, 800
_EACH = range(IMAGES)
NEEDS: dict[str, tuple[str, ...]] = {
    **{f"raw{i}": () for i in _EACH},
    **{f"project{i}": (f"raw{i}",) for i in _EACH},
    **{f"diff{i}": (f"project{i}", f"project{(i + 1) % IMAGES}") for i in _EACH},
    "model": tuple(f"diff{i}" for i in _EACH),
    **{f"background{i}": (f"project{i}", "model") for i in _EACH},
    "add": tuple(f"background{i}" for i in _EACH),
    "shrink": ("add",),
    "preview": ("shrink",),
    "archive": ("add",),
}


def main(task: str) -> None:
    """Carry one task out in the present folder."""
    if task not in NEEDS:
        sys.exit(f'no task "{task}": {", ".join(NEEDS)}')
    machine = os.environ.get("PLACEWISE_MACHINE", "M1")
    here = Path(quote(machine, safe=""))
    here.mkdir(exist_ok=True)
    began, size = time.perf_counter(), 0
    for name in NEEDS[task]:
        size += _fetched(name, here)
    if size and (told := os.environ.get("PLACEWISE_FETCHED")):
        Path(told).write_text(f"{size} {time.perf_counter() - began}", encoding="utf-8")
    kind = task.rstrip("0123456789")
    number = int(task.removeprefix(kind) or 0)
    found = KINDS[kind](number, [np.load(here / f"{name}.npy") for name in NEEDS[task]])
    _keep(task, found, here)
    time.sleep((SLOWER.get(machine, 1.0) - 1.0) * time.process_time())


def _fetched(name: str, here: Path) -> int:
    """Copy an input that lies elsewhere, paced; how many bytes."""
    target = here / f"{name}.npy"
    if target.exists():
        return 0
    sources = sorted(Path().glob(f"*/{name}.npy"))
    if not sources:
        sys.exit(f"{name} is on no machine: it has to run first")
    began = time.perf_counter()
    content = sources[0].read_bytes()
    part = here / f"{name}.{os.getpid()}"
    part.write_bytes(content)
    ahead = STARTUP_S + len(content) / BANDWIDTH - (time.perf_counter() - began)
    time.sleep(max(0.0, ahead))
    part.replace(target)
    return len(content)


def _keep(task: str, found: np.ndarray, here: Path) -> None:
    """Write a result; copies of an earlier run's are no good any more."""
    part = here / f"{task}.{os.getpid()}"
    with part.open("wb") as file:
        np.save(file, found)
    for old in Path().glob(f"*/{task}.npy"):
        old.unlink()
    part.replace(here / f"{task}.npy")
    if task == "preview":
        Path("preview.png").write_bytes(found.tobytes())


def _raw(number: int, _inputs: list[np.ndarray]) -> np.ndarray:
    """An image: stars, noise, and a background that leans its own way; the mean of exposures."""
    y, x = _grid()
    sky = np.random.default_rng(0)
    image = np.zeros((HEIGHT, WIDTH), np.float32)
    for _ in range(60):
        row, column, bright = sky.uniform(0, HEIGHT), sky.uniform(0, WIDTH), sky.uniform(5, 60)
        rows, columns = (slice(max(0, int(at) - 12), int(at) + 12) for at in (row, column))
        image[rows, columns] += bright * np.exp(
            -((y[rows, columns] - row) ** 2 + (x[rows, columns] - column) ** 2) / 9
        )
    noise = np.random.default_rng(number + 1)
    exposures = sum(noise.standard_normal(image.shape, np.float32) for _ in range(6))
    return (image + exposures / 6 + 0.004 * (number - (IMAGES - 1) / 2) * x).astype(np.float32)


def _project(number: int, inputs: list[np.ndarray]) -> np.ndarray:
    """The image turned onto the common grid: the mean of many small shifts, bilinear."""
    (image,) = inputs
    y, x = _grid()
    total = np.zeros_like(image)
    shifts = 12 + 2 * number
    for step in range(shifts):
        angle = 0.0005 * (step - shifts / 2)
        rows = np.clip(y + angle * x, 0, HEIGHT - 1.001)
        columns = np.clip(x - angle * y, 0, WIDTH - 1.001)
        top, left = rows.astype(np.int32), columns.astype(np.int32)
        down, right = rows - top, columns - left
        total += (1 - down) * ((1 - right) * image[top, left] + right * image[top, left + 1])
        total += down * ((1 - right) * image[top + 1, left] + right * image[top + 1, left + 1])
    return total / shifts


def _diff(_number: int, inputs: list[np.ndarray]) -> np.ndarray:
    """The plane a + b·y + c·x that fits the difference of two images; outliers weigh less."""
    difference = inputs[0] - inputs[1]
    base = (np.ones_like(difference), *_grid())
    plane = np.zeros(3)
    for _ in range(8):
        rest = difference - sum(p * b for p, b in zip(plane, base, strict=True))
        weight = 1 / (1 + rest**2)
        normal = [[float(np.sum(weight * a * b)) for b in base] for a in base]
        right = [float(np.sum(weight * a * difference)) for a in base]
        plane = np.linalg.solve(normal, right)
    return plane


def _model(_number: int, inputs: list[np.ndarray]) -> np.ndarray:
    """Of every image the plane to take away, so that neighbours agree; their mean is 0."""
    planes = -np.cumsum(np.stack(inputs), 0)
    planes = np.roll(planes, 1, 0)
    return planes - planes.mean(0)


def _background(number: int, inputs: list[np.ndarray]) -> np.ndarray:
    """The image without its background: plane first, then what is left of it, row by row."""
    image, planes = inputs
    y, x = _grid()
    a, b, c = planes[number]
    flat = image - (a + b * y + c * x)
    for _ in range(5):
        flat = flat - np.median(flat, 1, keepdims=True)
    return flat.astype(np.float32)


def _add(_number: int, inputs: list[np.ndarray]) -> np.ndarray:
    """The median of all images."""
    return np.median(np.stack(inputs), 0).astype(np.float32)


def _shrink(_number: int, inputs: list[np.ndarray]) -> np.ndarray:
    """Half as many pixels each way, without what is too fine for them."""
    (image,) = inputs
    waves = np.fft.rfft2(image)
    waves[HEIGHT // 4 : -HEIGHT // 4] = 0
    waves[:, WIDTH // 4 :] = 0
    return np.fft.irfft2(waves, image.shape)[::2, ::2].astype(np.float32)


def _preview(_number: int, inputs: list[np.ndarray]) -> np.ndarray:
    """A picture in grey, as the bytes of a PNG file."""
    (image,) = inputs
    low, high = np.percentile(image, (5, 99.5))
    grey = np.clip(255 * (image - low) / (high - low), 0, 255).astype(np.uint8)
    rows = b"".join(b"\0" + row.tobytes() for row in grey)
    height, width = grey.shape

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")
    return np.frombuffer(b"\x89PNG\r\n\x1a\n" + body, np.uint8)


def _archive(_number: int, inputs: list[np.ndarray]) -> np.ndarray:
    """The sum, packed."""
    return np.frombuffer(zlib.compress(inputs[0].tobytes(), 6), np.uint8)


def _grid() -> tuple[np.ndarray, np.ndarray]:
    y, x = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    return y, x


KINDS = {
    "raw": _raw,
    "project": _project,
    "diff": _diff,
    "model": _model,
    "background": _background,
    "add": _add,
    "shrink": _shrink,
    "preview": _preview,
    "archive": _archive,
}

if __name__ == "__main__":
    main(" ".join(sys.argv[1:]))
