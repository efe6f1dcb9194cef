"""The users' questions, in the order of the rail: name, title and the question in words.

One line a study; its answer is in the file `advisor.studies.<name>`, which takes the line from
here. The window lists its questions at start, and loads the answers when it has been painted.
"""

from __future__ import annotations

from typing import NamedTuple


class Question(NamedTuple):
    """What a study is called on the command line and in the window, and what it answers."""

    name: str
    title: str
    question: str


QUESTIONS = {
    one.name: one
    for one in (
        Question("allocation", "Allocation", "Which task goes to which machine?"),
        Question("decision-map", "Decision map", "Which allocation is best at which load?"),
        Question(
            "styles",
            "Message styles",
            "Shall messages be synchronous or asynchronous, short or long?",
        ),
        Question("mapping", "Mapping", "Which process on which node of the network?"),
        Question("blocks", "Blocks", "How large shall a block of a wavefront be?"),
        Question(
            "trees", "Trees", "Which tree of processes between a front-end and its back-ends?"
        ),
        Question(
            "scaling",
            "Scaling",
            "How far does it scale, what limits it, and how many processors are worth using?",
        ),
        Question("sharing", "Sharing", "Why do the two readings of contention differ?"),
        Question(
            "shared_memory",
            "Shared memory",
            "Where does a shared-memory program's time go, and what would change it?",
        ),
    )
}
