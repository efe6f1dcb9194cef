"""One process that reads mutated files within bounds: ``python -m tests.fuzzing.worker``.

It prints a line before each file and what came of those that were neither read nor refused; the
limits of processor time and memory are the operating system's, so that nothing gets past them.
"""

from __future__ import annotations

import random
import resource
import signal
import sys
import tempfile
import traceback
import warnings
from pathlib import Path
from types import FrameType
from unicodedata import category

from machines.errors import PlacewiseError
from tests.fuzzing.mutations import mutated
from tests.fuzzing.readers import Reader, readers

MOST_SECONDS = 5.0
MOST_BYTES = 1 << 30


class Hang(BaseException):
    """A file took too long."""


def case(seed: int, number: int) -> tuple[Reader, bytes]:
    """The reader and the content of a case: the same in every process."""
    draw = random.Random(f"{seed}/{number}")
    every = readers()
    reader = every[number % len(every)]
    others = draw.choice(every).seeds + reader.seeds
    return reader, mutated(draw, draw.choice(reader.seeds), others)


def tried(reader: Reader, content: bytes, path: Path, seconds: float = MOST_SECONDS) -> str:
    """What came of a file: "read", "refused", or what is wrong; no more seconds of a processor."""
    path.write_bytes(content)
    before = signal.signal(signal.SIGPROF, _hang)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        reader.read(path)
    except PlacewiseError as error:
        return _message(error)
    except Hang:
        return f"longer than {seconds:g} s: {_innermost()}"
    except MemoryError:
        return f"more than {MOST_BYTES >> 20} MiB: {_innermost()}"
    except BaseException as error:  # noqa: BLE001 - foreign exceptions are what is looked for
        return f"{type(error).__name__}: {str(error)[:200]!r}: {_innermost()}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, before)
    return "read"


def _message(error: PlacewiseError) -> str:
    """Whether what a user would be told is fit for a terminal."""
    text = str(error)
    unseen = (letter not in _JOINERS and category(letter) in _UNSEEN for letter in text)
    if len(text) > 3000 or any(unseen):
        return f"a message of {len(text)} characters: {text[:200]!r}"
    return "refused"


_UNSEEN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))
_JOINERS = "\u200c\u200d"


def _innermost() -> str:
    """Where it happened: the last places of the product."""
    trace = traceback.extract_tb(sys.exc_info()[2])
    own = [one for one in trace if "tests/fuzzing" not in one.filename]
    return " < ".join(f"{Path(one.filename).name}:{one.lineno}" for one in own[:-5:-1])


def _hang(_signal: int, _frame: FrameType | None) -> None:
    raise Hang


def _limit() -> None:
    """Bound memory to what is taken now and `MOST_BYTES`."""
    now = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + MOST_BYTES, now + MOST_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main(seed: int, first: int, last: int) -> None:
    """Try the cases first … last − 1; a line each, its number before and what came of it after."""
    warnings.simplefilter("error")
    readers()
    _limit()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(first, last):
            reader, content = case(seed, number)
            sys.stdout.write(f"{number} {reader.name}: ")
            sys.stdout.flush()
            sys.stdout.write(f"{tried(reader, content, Path(folder) / 'file')}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
