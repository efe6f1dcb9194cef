"""The subcommand `campaign`: many cases computed, their results in a folder, and what they show."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path
from time import monotonic

from advisor.basics.content import read_content
from advisor.basics.quantities import count, duration, number
from advisor.basics.stop_rule import ShouldStop
from advisor.campaigns.campaign_cases import Cases, planned
from advisor.campaigns.campaign_file import campaign_path, parse_campaign
from advisor.campaigns.findings import findings
from advisor.campaigns.lines import KINDS
from advisor.campaigns.open_campaign import read_folder
from advisor.campaigns.run_campaign import Outcome, Progress
from advisor.campaigns.run_campaign import run_campaign as run
from advisor.campaigns.writing import rows_in
from advisor.commands.inputs import warn
from advisor.commands.interrupts import INTERRUPTED, interruptible
from advisor.commands.study import say_result
from advisor.commands.text import say, say_json
from advisor.computing import computing
from advisor.studies import StudyResult
from advisor.studies.study_json import result_report
from machines.catalogue.shelf import known
from machines.errors import visible
from machines.files import decoded

_LINE_S = 1.0
_TABLES = 2  # of those that the page shows


def run_campaign(arguments: Namespace) -> int:
    """Compute what the folder lacks, and say what all rows show."""
    path, out = campaign_path(arguments.campaign), Path(arguments.out)
    content, _ = read_content(path)
    text = decoded(content, str(path))
    cases = planned(parse_campaign(text, str(path)), path.parent)
    if arguments.baseline:
        known(arguments.baseline, cases.campaign.strategies, "strategy", "--baseline")
    with interruptible() as stopped:
        outcome = _computed(cases, out, text, arguments, stopped)
    if not outcome.complete:
        _tell(f"placewise: {_kept(outcome.done, outcome.total)}; the same command resumes")
    if arguments.json or outcome.complete:
        _answer(cases, outcome, out, arguments)
    return 0 if outcome.complete else INTERRUPTED


def _answer(cases: Cases, outcome: Outcome, out: Path, arguments: Namespace) -> None:
    """What all rows show."""
    folder = read_folder(out)
    result = findings(folder.results, arguments.baseline, folder.total, titles=not arguments.json)
    if arguments.json:
        say_json(_report(cases, outcome, out, result, folder.notes))
        return
    say_result(result, warnings=folder.notes, most=_TABLES)
    say("", _where(out))


def _computed(
    cases: Cases, out: Path, text: str, arguments: Namespace, stopped: ShouldStop
) -> Outcome:
    """What is missing, by whom the arguments say."""
    there = rows_in(out, cases)
    _tell(f"{count(len(cases), 'case')}: {cases.product}")
    if there:
        _tell(f"{_kept(there, len(cases))} already")
    if there == len(cases):
        return run(cases, out, text=text)
    board = _Board()
    with computing(arguments.scheduler, arguments.workers, board.note, stopped) as shards:
        try:
            return run(cases, out, shards, board.show, stopped, text)
        finally:
            board.end()


class _Board:
    """Says on a terminal how far it is: one line, over and over."""

    def __init__(self) -> None:
        self._is_seen = sys.stderr.isatty()
        self._width = 0
        self._told = float("-inf")

    def show(self, progress: Progress) -> None:
        """The line, not more often than it can be read."""
        if self._is_seen and monotonic() - self._told >= _LINE_S:
            self._told = monotonic()
            line = _line(progress)
            sys.stderr.write(f"\r{line:<{self._width}}")
            sys.stderr.flush()
            self._width = len(line)

    def note(self, text: str) -> None:
        """Something happened."""
        self.end()
        warn((text,))

    def end(self) -> None:
        """What is said now begins on its own line."""
        if self._width:
            sys.stderr.write(f"\r{'':<{self._width}}\r")
            self._width = 0


def _line(progress: Progress) -> str:
    """How far it is: "120 of 850 cases, 2 failed, 23.3 a second, 31.3 s left"."""
    parts = [f"{progress.done:,} of {count(progress.total, 'case')}"]
    if progress.failed:
        parts.append(f"{progress.failed:,} failed")
    if progress.rate_hz:
        parts.append(f"{number(progress.rate_hz)} a second")
    if progress.left_s:
        parts.append(f"{duration(progress.left_s)} left")
    return ", ".join(parts)


def _report(
    cases: Cases, outcome: Outcome, out: Path, result: StudyResult, notes: tuple[str, ...]
) -> dict[str, object]:
    """What ``campaign --json`` prints."""
    return {
        "campaign": cases.campaign.name,
        "cases": outcome.total,
        "product": cases.product,
        "done": outcome.done,
        "failed": outcome.failed,
        "complete": outcome.complete,
        "results": [str(out / kind.name) for kind in KINDS],
        **{key: value for key, value in result_report(result).items() if key != "complete"},
        "warnings": list(notes),
    }


def _kept(done: int, total: int) -> str:
    return f"{done:,} of {count(total, 'case')} are done"


def _where(out: Path) -> str:
    return f"Results: {', '.join(str(out / kind.name) for kind in KINDS)}"


def _tell(line: str) -> None:
    sys.stderr.write(f"{visible(line)}\n")
    sys.stderr.flush()
