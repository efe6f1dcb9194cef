"""What the title of a column says: processors, a time, a rate, a spread, or nothing known.

Titles are split into words at whatever is no letter, in one pass; a unit stands in brackets, after
the last underscore, or is the title itself ("ns/day"). What the words mean is data.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from machines.formats.text_table import SPREADS

TIME = "time"
SPEEDUP = "speedup"
THROUGHPUT = "throughput"
EFFICIENCY = "efficiency"  # of each processor; a speedup follows from it
KINDS = (TIME, SPEEDUP, THROUGHPUT)

PROCESSORS, VALUE, SPREAD, RUN, IDEAL, OTHER = "P", "value", "spread", "run", "ideal", "other"

SECONDS = {"s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "μs": 1e-6, "ns": 1e-9, "min": 60.0,
           "h": 3600.0}  # fmt: skip
TICKS = {"cycle", "cycles", "kcycles", "mcycles", "gcycles", "clocks", "tick", "ticks", "step",
         "steps", "unit", "units", "a.u.", "a.u"}  # fmt: skip
_UNITS = {
    "sec": "s", "secs": "s", "second": "s", "seconds": "s", "msec": "ms", "millisec": "ms",
    "milliseconds": "ms", "usec": "us", "microseconds": "us", "nanoseconds": "ns", "mins": "min",
    "minute": "min", "minutes": "min", "hr": "h", "hrs": "h", "hour": "h", "hours": "h",
}  # fmt: skip

# word of a title → what its processors are called
_NOUNS = {
    **dict.fromkeys(("p", "n", "np", "nproc", "nprocs", "proc", "procs"), "processors"),
    "numprocs": "processors",
    "processor": "processors",
    **dict.fromkeys(("processors", "load", "concurrency", "processes", "parallelism"),
                    "processors"),
    **dict.fromkeys(("cores", "core", "ncores", "cpus", "cpu", "ncpus"), "cores"),
    **dict.fromkeys(("nodes", "node", "nnodes", "hosts"), "nodes"),
    **dict.fromkeys(("ranks", "nranks"), "ranks"),
    **dict.fromkeys(("threads", "thread", "nthreads"), "threads"),
    **dict.fromkeys(("tasks", "ntasks"), "tasks"),
    **dict.fromkeys(("gpus", "gpu", "ngpus", "gcds", "accelerators", "devices"), "GPUs"),
    **dict.fromkeys(("pes", "pe", "npes"), "PEs"),
    **dict.fromkeys(("workers", "nworkers"), "workers"),
    **dict.fromkeys(("users", "clients"), "clients"),
}  # fmt: skip
_AMONG = {"number", "num", "no", "nr", "of", "count", "total", "mpi", "omp", "openmp",
          "used", "numa", "domain", "socket", "the", "parallel", "compute", "physical",
          "logical"}  # fmt: skip
_TIMES = {"time", "times", "walltime", "wall", "wallclock", "elapsed", "runtime", "seconds", "sec",
          "secs", "duration", "makespan", "real", "latency"}  # fmt: skip
_RATES = {"throughput", "throughputs", "fom", "performance", "perf", "rate", "speed", "bandwidth",
          "flops", "flop", "gflops", "mflops", "tflops", "pflops", "mlups", "glups", "gteps",
          "teps", "iops", "qps", "tps", "fps"}  # fmt: skip
_SPEEDUPS = {"speedup", "speedups"}
_EFFICIENCIES = {"efficiency", "eff"}
_IDEALS = {"ideal", "perfect", "linear", "expected", "theoretical"}
_RUNS = {"repetition", "repetitions", "run", "runs", "rep", "reps", "trial", "seed", "sample",
         "attempt", "iteration", "repeat"}  # fmt: skip
_WHOLE = {"total", "wall", "walltime", "wallclock", "elapsed", "real", "runtime", "aggregate",
          "overall", "mean", "average", "avg", "median"}  # fmt: skip
_CLOCKS = {"s", "sec", "second", "min", "minute", "h", "hr", "hour", "d", "day"}
_LONGEST = 100  # letters of a title that is looked at


@dataclass(frozen=True)
class Title:
    """One title understood; `words` are its own, without unit and digits."""

    text: str
    role: str  # PROCESSORS, VALUE, SPREAD, RUN, IDEAL or OTHER
    words: tuple[str, ...] = ()
    kind: str = ""  # of a value: one of KINDS, or EFFICIENCY
    unit: str = ""  # as written; of times by its symbol
    noun: str = ""  # of processors
    each: bool = False  # of one processor: the whole is P times as much

    @property
    def plain(self) -> str:
        """Without case, brackets and a number at its end, which counts repetitions."""
        return _apart(self.text.lower())[0].rstrip(" _0123456789")

    @property
    def whole(self) -> bool:
        """Whether it says that it is all of the run."""
        return bool(_WHOLE & set(self.words))


def title_of(text: str) -> Title:
    """What a title names."""
    if len(text) > _LONGEST:
        return Title(text, OTHER)
    plain, unit = _apart(text)
    words = tuple(_words(plain))
    known = set(words)
    if "±" in text or (known & SPREADS and known <= SPREADS | _TIMES | _RATES | _SPEEDUPS):
        return Title(text, SPREAD, words)
    if known & _IDEALS:
        return Title(text, IDEAL, words)
    kind, unit = _kind(known, words, plain.strip(), unit)
    if kind:
        each = any(one == "per" and after in _NOUNS for one, after in pairwise(words))
        return Title(text, VALUE, words, kind, unit, each=each)
    nouns = [word for word in words if word in _NOUNS]
    if nouns and known <= {*_NOUNS, *_AMONG} and unit != "%":
        return Title(text, PROCESSORS, words, noun=_NOUNS[nouns[0]])
    return Title(text, RUN if known and known <= _RUNS else OTHER, words, unit=unit)


def noun_of(text: str) -> str:
    """What the processors of a column or a parameter are called; empty: it names none."""
    found = title_of(text)
    return found.noun if found.role == PROCESSORS else ""


def time_unit(unit: str) -> str:
    """The symbol of a time's unit; itself where it is none."""
    plain = unit.lower().strip(" .")
    if ":" in plain:  # hh:mm:ss
        return "s"
    return _UNITS.get(plain, unit)


def _kind(known: set[str], words: tuple[str, ...], plain: str, unit: str) -> tuple[str, str]:
    """(kind, unit); empty: it is no value."""
    symbol = time_unit(unit)
    timed = symbol in SECONDS
    said = "throughput" in known or "throughputs" in known
    if _is_rate(plain):
        found = THROUGHPUT, plain
    elif known & _SPEEDUPS:
        found = SPEEDUP, unit
    elif known & _EFFICIENCIES:
        found = EFFICIENCY, unit
    elif said or (known & _RATES and not timed):  # a unit that it can't have is refused later
        letters = "".join(one if one.isalpha() else " " for one in plain)
        named = (one for one in letters.split() if one.isupper() and len(one) > 2)
        found = THROUGHPUT, unit or next(named, "")
    elif known & _TIMES:
        last = time_unit(words[-1])
        found = TIME, last if not unit and last in SECONDS else symbol
    elif timed:
        found = TIME, symbol
    else:
        found = (THROUGHPUT if _is_rate(unit) else ""), unit
    return found


def _is_rate(text: str) -> bool:
    """Whether it is something per time: "ns/day", "Photons/s", "steps per second"."""
    amount, over, time = text.replace(" per ", "/").rpartition("/")
    return bool(over and amount.strip()) and time.strip().lower().removesuffix("s") in {
        one.removesuffix("s") for one in _CLOCKS
    }


def _apart(text: str) -> tuple[str, str]:
    """A title before its unit in brackets or after the last underscore, and the unit."""
    for opening, closing in ("()", "[]"):
        before, found, rest = text.partition(opening)
        end = rest.rfind(closing)
        if found and end >= 0:
            return f"{before} {rest[end + 1 :]}", rest[:end].strip()
    head, found, unit = text.rstrip().rstrip("0123456789").rstrip(" _").rpartition("_")
    if found and (time_unit(unit) in SECONDS or unit.lower() in TICKS or "/" in unit):
        return head, unit
    return text, ""


def _words(plain: str) -> list[str]:
    """Words in lower case; camel case is left together, "speed-up" is one word."""
    letters = "".join(one if one.isalpha() or one in "µμ" else " " for one in plain.lower())
    words = letters.replace("speed up", "speedup").replace("wall clock", "wallclock")
    return words.split()
