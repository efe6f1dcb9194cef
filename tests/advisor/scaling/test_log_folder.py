"""A folder of logs: P and time by what the log says, else by its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.scaling.data import read_measurements
from machines import InputError


@pytest.mark.parametrize(
    ("logs", "processors", "noun"),
    [
        ({f"run{P}.log": f"Running on {P} ranks\nsetup time: 1 s\nElapsed time: {90 / P} s\n"
          for P in (1, 2, 4)}, (1, 2, 4), "ranks"),
        ({f"out_np{P}.txt": f"done\nreal 0m{90 / P:.1f}s\n" for P in (2, 4, 8)}, (2, 4, 8),
         "processors"),
        ({f"log.{i}": f"+ srun -n {P} ./a.out\nTotal wall time = {90 / P}\n"
          for i, P in enumerate((16, 32))}, (16, 32), "processors"),
        ({f"l{P}": f"Loop time of {90 / P} on {P} procs for 100 steps\n" for P in (1, 2)}, (1, 2),
         "processors"),
        ({f"{name}_cpu.csv": "Rank,Total (s)\n" + "".join(f"{i},{90 / P}\n" for i in range(P))
          for name, P in (("a", 2), ("b", 3))}, (2, 3), "ranks"),
    ],
)  # fmt: skip
def test_logs_tell_their_runs(
    tmp_path: Path, logs: dict[str, str], processors: tuple[int, ...], noun: str
) -> None:
    for name, text in logs.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "notes.md").write_text("nothing here\n", encoding="utf-8")
    data = read_measurements(tmp_path)
    assert (data.processors, data.noun, data.unit) == (processors, noun, "s")
    assert data.values == pytest.approx([90 / P for P in processors], rel=0.01)
    assert "Left alone, no P or no time: notes.md" in data.said


def test_a_folder_without_logs_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no logs"):
        read_measurements(tmp_path)
    (tmp_path / "a.log").write_text("hello", encoding="utf-8")
    with pytest.raises(InputError, match=r"no two logs tell.*a\.log"):
        read_measurements(tmp_path)
