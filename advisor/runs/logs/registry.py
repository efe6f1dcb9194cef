"""Every kind of log, in the order in which a file is looked at: a new one is a file and a line."""

from __future__ import annotations

from advisor.runs.logs import run_record
from advisor.runs.logs.reader import LogReader

READERS: tuple[LogReader, ...] = (run_record.READER,)
