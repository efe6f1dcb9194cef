"""The users' questions, in the order of the rail: one line a study.

Its answer is in the folder `advisor.studies.<name>`, whose `study.py` takes the line from here. The
window lists its questions at start, and loads the answers when it has been painted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

_STUDIES = "advisor.studies"


@dataclass(frozen=True)
class FileOption:
    """A file of its own that a study takes on the command line, e.g. ``--data FILE.csv``.

    Attributes
    ----------
    name : str
        Of the option, without the dashes.
    holds : str
        What is in the file, as in "this study takes no measurements".
    help : str
        For ``--help``.
    settings : tuple of str
        What the option stands for; ``{file}`` in them is its value.
    implied : tuple of str
        Settings that follow from it, which may be given beside it.
    metavar : str
        How ``--help`` writes the value.
    again : tuple of str
        What it stands for when it is given a second time; empty: once is all.
    """

    name: str
    holds: str
    help: str
    settings: tuple[str, ...]
    implied: tuple[str, ...] = ()
    metavar: str = "FILE"
    again: tuple[str, ...] = ()

    def settings_for(self, file: str, second: bool = False) -> list[str]:
        """The settings that stand for the option with that file, or with a second one."""
        settings = self.again if second else self.settings
        return [setting.replace("{file}", file) for setting in settings]


@dataclass(frozen=True)
class Question:
    """What a study is called on the command line and in the window, and what it answers.

    Attributes
    ----------
    name, title, question : str
        Its name on the command line, its name in the window, and the question in one sentence.
        An icon in ``resources/icons`` and a page in ``resources/help`` of that name are its own.
    simulated : bool
        Its case can be simulated.
    has_page : bool
        It has a page in the window; False where the board and its panels show it.
    files : tuple of FileOption
        Files that it takes on the command line.
    package : str
        Where its `study.py` is; empty: ``advisor.studies.<name>``.
    """

    name: str
    title: str
    question: str
    simulated: bool = False
    has_page: bool = True
    files: tuple[FileOption, ...] = ()
    package: str = ""

    @property
    def module(self) -> str:
        """The module whose ``STUDY`` answers it."""
        package = self.package or f"{_STUDIES}.{self.name.replace('-', '_')}"
        return f"{package}.study"


_MEASUREMENTS = FileOption(
    "data", "measurements",
    "measurements: P and time, speedup or throughput; a second time: laid over the first",
    ("source=data", "data={file}"), metavar="FILE.csv", again=("against={file}",),
)  # fmt: skip
_APPLICATION = FileOption(
    "application", "application", "counts of a shared-memory program (shared_memory)",
    ("file={file}",),
)  # fmt: skip
_PLATFORM = FileOption(
    "platform", "platform", "a platform file, or a name in the catalogue: the study's network is "
    "that inside its first parallel machine, or inside --set machine=NAME",
    ("platform={file}",), ("network=platform",),
)  # fmt: skip
_LOGP_PLATFORM = replace(_PLATFORM, implied=("source=LogP", *_PLATFORM.implied))

QUESTIONS = {
    one.name: one
    for one in (
        Question("allocation", "Allocation", "Which task goes to which machine?", has_page=False),
        Question(
            "decision-map", "Decision map", "Which allocation is best at which load?",
            has_page=False,
        ),
        Question(
            "what-if", "What if", "Which assumption weighs most, and what makes another plan best?",
            has_page=False,
        ),
        Question(
            "styles", "Message styles",
            "Which message style: synchronous or asynchronous, short or long?", simulated=True,
            files=(_PLATFORM,),
        ),
        Question(
            "mapping", "Mapping", "Which process on which node of the network?", simulated=True,
            files=(_PLATFORM,),
        ),
        Question(
            "blocks", "Blocks", "Which block size for a wavefront?", simulated=True,
            files=(_PLATFORM,),
        ),
        Question(
            "trees", "Trees", "Which tree of processes between a front-end and its back-ends?",
            simulated=True, files=(_PLATFORM,),
        ),
        Question(
            "scaling", "Scaling",
            "How far does it scale, what limits it, and how many processors are worth using?",
            files=(_MEASUREMENTS, _LOGP_PLATFORM),
        ),
        Question("sharing", "Sharing", "Why do the two contention models differ?"),
        Question(
            "shared_memory", "Shared memory",
            "Where does a shared-memory program's time go, and what would change it?",
            files=(_APPLICATION,),
        ),
    )
}  # fmt: skip


def file_options() -> tuple[FileOption, ...]:
    """The options of all studies, each once: two studies may take the same kind of file."""
    options = (option for one in QUESTIONS.values() for option in one.files)
    return tuple({option.name: option for option in options}.values())
