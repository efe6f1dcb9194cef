"""What becomes of files when machines, stores and tasks are renamed or go."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from advisor.allocation.data_files import DataFile
from advisor.allocation.workload import Workload
from advisor.basics.quantities import count
from machines import Platform

_FEW = 3  # names of many


def with_places(workload: Workload, rename: Mapping[str, str | None]) -> Workload:
    """The files on renamed machines and stores; those on one renamed to None lie nowhere stated."""

    def moved(file: DataFile) -> DataFile:
        if file.at is None or file.at not in rename:
            return file
        return replace(file, at=rename[file.at])

    files = tuple(map(moved, workload.files))
    return workload if files == workload.files else workload.with_files(files)


def placed(workload: Workload, platform: Platform) -> tuple[Workload, tuple[str, ...]]:
    """The workload without places that the platform lacks, and a sentence that says so."""
    known = platform.host_index
    lost = [file.at for file in workload.files if file.at is not None and file.at not in known]
    if not lost:
        return workload, ()
    names = sorted(set(lost))
    some = ", ".join(names[:_FEW]) + (", …" if len(names) > _FEW else "")
    note = (
        f"The platform has no {some}, where the workload has {count(len(lost), 'file')}: taken "
        "from its only store if it has one, else left out."
    )
    return with_places(workload, dict.fromkeys(names)), (note,)


def left_by(workload: Workload, gone: Collection[int]) -> tuple[DataFile, ...]:
    """The files that stay when those tasks go: all but what only they wrote and read."""
    use = workload.use

    def stays(position: int) -> bool:
        writer, readers = int(use.writer[position]), use.readers[position]
        touching = [task for task in (writer, *readers) if task >= 0]
        return not touching or any(
            task not in gone for task in (readers if writer in gone else touching)
        )

    return tuple(file for position, file in enumerate(workload.files) if stays(position))


def orphaned(workload: Workload, gone: Collection[int]) -> tuple[str, ...]:
    """Names of the files that come from outside when those tasks go: others read them."""
    use = workload.use
    return tuple(
        file.name
        for position, file in enumerate(workload.files)
        if int(use.writer[position]) in gone
        and any(reader not in gone for reader in use.readers[position])
    )
