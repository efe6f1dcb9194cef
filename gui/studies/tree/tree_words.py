"""What a tree says about its processes, in words: labels, tooltips and the line below."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.basics.quantities import count, duration, number, percent
from gui.studies.tree.tree_drawing import REDUCTION, US, TreeDrawing

TOO_BUSY = "▲"
SHORT_BUNDLE = "×back-ends + internal"
_DONE = {REDUCTION: "Delivered to its parent"}


def amount(value: int, singular: str, plural: str = "") -> str:
    """A number of things, short where it is large: "64 back-ends", "62.5 k back-ends"."""
    if value < 10_000:
        return count(value, singular, plural)
    return f"{number(value, ' ').strip()} {plural or singular + 's'}"


def time_text(time_us: float) -> str:
    """A time of the model."""
    return duration(time_us * US)


def name_of(drawing: TreeDrawing, process: int) -> str:
    """What a process is called in sentences."""
    if process == 0:
        return "Front-end"
    if drawing.tree.fanouts[process]:
        return f"Process {number_of(drawing, process)}"
    return f"Back-end {drawing.identities.back_ends[process]:,}"


def number_of(drawing: TreeDrawing, process: int) -> int:
    """The number that a process keeps when the tree is changed."""
    return int(drawing.identities.numbers[process])


def labels_of(drawing: TreeDrawing, process: int) -> Iterator[tuple[str, str]]:
    """(title, second line) of a process, from the longest to the shortest."""
    fanout, share = int(drawing.tree.fanouts[process]), drawing.share(process)
    mark = f"{TOO_BUSY} " if share > 1.0 else ""
    title = f"{mark}{name_of(drawing, process)}"
    if not fanout:
        yield title, ""
        yield str(drawing.identities.back_ends[process]), ""
        return
    fan = f"fan-out {fanout:,}"
    short = f"{mark}{number_of(drawing, process) or 'FE'}"
    for name in (title, short):
        if share > 0.0:
            yield name, f"{fan} · {percent(share)}"
        yield name, fan
    yield short, ""


def pack_lines(drawing: TreeDrawing, first: int, last: int, back_ends: int) -> tuple[str, ...]:
    """What a bundle says, the most important line first."""
    inner = inner_in(drawing, first, last)
    lines = [amount(back_ends, "back-end")]
    if drawing.widest_share(first, last) > 1.0:
        lines[0] = f"{TOO_BUSY} {lines[0]}"
    if inner:
        lines.append(f"{amount(inner, 'internal', 'internal')}")
    return tuple(lines)


def pack_short(drawing: TreeDrawing, first: int, last: int, back_ends: int) -> str:
    """The same where there is hardly room: "×15 + 2", never a number alone as processes have."""
    inner = inner_in(drawing, first, last)
    mark = f"{TOO_BUSY} " if drawing.widest_share(first, last) > 1.0 else ""
    return f"{mark}×{back_ends:,}{f' + {inner:,}' if inner else ''}"


def inner_in(drawing: TreeDrawing, first: int, last: int) -> int:
    """Internal processes of a bundle."""
    among = drawing.layout.among
    return int(among[last] - among[first])


def sentence(drawing: TreeDrawing, process: int) -> str:
    """A process in a few words."""
    fanout = int(drawing.tree.fanouts[process])
    if not fanout:
        return f"{name_of(drawing, process)}, at depth {drawing.layout.depth_of(process)}"
    below = amount(int(drawing.layout.below[process]), "back-end")
    return f"{name_of(drawing, process)}: fan-out {fanout:,}, {below} below"


def process_tip(drawing: TreeDrawing, process: int, operation: str) -> str:
    """Everything about a process."""
    tree, layout = drawing.tree, drawing.layout
    fanout, depth = int(tree.fanouts[process]), layout.depth_of(process)
    number = number_of(drawing, process)
    kind = "internal process" if process and fanout else "process of the tree"
    lines = [f"{name_of(drawing, process)} ({kind}, number {number:,}), depth {depth}"]
    if not fanout:
        lines[0] = f"{name_of(drawing, process)} (number {number:,}), depth {depth}"
    else:
        below = count(int(layout.below[process]), "back-end")
        inner = count(int(layout.inner[process]), "internal process", "internal processes")
        lines.append(f"Fan-out {fanout:,}; below: {below}, {inner}")
    if process:
        lines += _times(drawing, process, operation)
    share = drawing.share(process)
    if share > 0.0:
        late = f" {TOO_BUSY} it can't keep up with the wanted rate" if share > 1.0 else ""
        lines.append(f"Takes {percent(share)} of a processor at the wanted rate{late}")
    return "\n".join(lines)


def pack_tip(drawing: TreeDrawing, first: int, last: int, back_ends: tuple[int, int]) -> str:
    """What a bundle holds."""
    start, end = back_ends
    many = "" if end - start == 1 else f" … {end - 1:,}"
    inner = count(inner_in(drawing, first, last), "internal process", "internal processes")
    lines = [
        f"{count(end - start, 'back-end')} (number {start:,}{many}) and {inner}",
        f"{count(last - first, 'child', 'children')} of "
        f"{name_of(drawing, int(drawing.tree.parent[first])).lower()}; zoom in to see them",
    ]
    if drawing.widest_share(first, last) > 1.0:
        lines.append(f"{TOO_BUSY} A process among them can't keep up with the wanted rate")
    return "\n".join(lines)


def tree_sentence(drawing: TreeDrawing) -> str:
    """The whole tree."""
    layout = drawing.layout
    inner = count(int(layout.inner[0]), "internal process", "internal processes")
    back_ends = count(layout.back_ends.size, "back-end")
    return f"{back_ends}, {inner}, depth {drawing.tree.depth}"


def _times(drawing: TreeDrawing, process: int, operation: str) -> list[str]:
    """Its turn among its siblings, and when it has or has given its message."""
    tree, times = drawing.tree, drawing.run(operation).times
    parent = int(tree.parent[process])
    start, fanout = int(tree.first_child[parent]), int(tree.fanouts[parent])
    siblings = times.sent[start : start + fanout]
    turn = int((siblings < times.sent[process]).sum()) + 1
    done = _DONE.get(operation, "Informed")
    path = "; on the critical path" if process in times.path.tolist() else ""
    return [
        f"Turn {turn:,} of {fanout:,} at {name_of(drawing, parent).lower()}",
        f"{done} after {time_text(float(times.done[process]))}{path}",
    ]
