"""A machine whose network a study has described: by numbers, a shape or a ping-pong file."""

from __future__ import annotations

from advisor.project.edits import with_property
from advisor.project.project import Project
from advisor.project.study_case import MACHINE, Subject
from advisor.studies.network_settings import PLATFORM, ShapedNetworkSettings
from advisor.studies.network_source import network_of_settings
from advisor.studies.study import StudyOf, StudyResult, Use
from machines import InputError


def _settings(project: Project, subject: Subject) -> dict[str, object]:
    """The network inside the machine, if it has one."""
    if project.platform.machine(subject.name).network is None:
        return {}
    return {"network": PLATFORM, "machine": subject.name}


def _used(
    project: Project, subject: Subject, parameters: ShapedNetworkSettings, _result: StudyResult
) -> Use:
    """The machine with the network that was described."""
    position = project.platform.index[subject.name]
    net = network_of_settings(parameters).net
    if net == project.platform.machines[position].network:
        raise InputError(
            "the network is the machine's own already", where=subject.words, value=net.name,
            remedy="Choose another, state your own numbers, or fit a ping-pong file",
        )  # fmt: skip
    changed = with_property(project, position, "network", net)
    return Use(changed, f"Use {net.name} in {subject.name}")


NETWORK_OF_MACHINE = StudyOf(MACHINE, _settings, _used, "Use as network")
