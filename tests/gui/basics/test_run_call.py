"""Calls that carry out, in a process that is told to end in the middle."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from advisor.campaigns.open_campaign import read_folder
from tests.advisor.running.working import eventually
from tests.processes import children

_PROGRAM = """
from pathlib import Path
from advisor.campaigns.run_campaign import Progress
from advisor.campaigns.open_campaign import open_campaign
from gui.basics.run_call import run_campaign

def told(event):
    if isinstance(event, Progress):
        print(event.done, flush=True)

if __name__ == "__main__":
    found = open_campaign(Path({file!r}), Path({out!r}))
    run_campaign(found.cases, found.out, found.text, "", told, lambda: False)
"""


@pytest.mark.engines
@pytest.mark.parametrize("times", [1, 2])
def test_a_campaign_that_is_ended_from_outside_is_silent_on_the_terminal_and_keeps_its_rows(
    tmp_path: Path, times: int
) -> None:
    """A window tells its process to end as it closes, and again as it is destroyed."""
    script, out = tmp_path / "program.py", tmp_path / "out"
    file = Path("resources/campaigns/lists.toml").absolute()
    script.write_text(_PROGRAM.format(file=str(file), out=str(out)), encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
    with subprocess.Popen(
        [sys.executable, script], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None
        done = 0
        while done < 50:
            done = int(process.stdout.readline())
        started = children(process.pid)
        for _ in range(times):
            process.send_signal(signal.SIGTERM)
            time.sleep(0.05)
        _, said = process.communicate()
    assert said == ""
    assert process.returncode == 1
    eventually(lambda: not any(Path(f"/proc/{one}").exists() for one in started))
    assert len(read_folder(out).results) >= done
