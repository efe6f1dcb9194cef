"""What files leave open, as questions with proposals: an answer that is given takes their place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from machines import InputError
from machines.formats.fields import suggestion

T = TypeVar("T")
_DECISIVE = ("task_time", "machines", "cores", "network")


@dataclass(frozen=True)
class Question:
    """One thing that no file tells.

    `key`: what an answer names it by. `text`: the question. `value`: what is taken now.
    `options`: what may be answered, where these are few.
    """

    key: str
    text: str
    value: str
    options: tuple[str, ...] = ()
    answered: bool = False


@dataclass
class Answers:
    """Answers by key, and the questions that came up, the most decisive first."""

    given: Mapping[str, str] = field(default_factory=dict)
    questions: list[Question] = field(default_factory=list)

    def ask(
        self, key: str, text: str, proposal: str, read: Callable[[str], T],
        options: tuple[str, ...] = (),
    ) -> T:  # fmt: skip
        """What was answered, else the proposal, read."""
        value = self.given.get(key, proposal)
        self.questions.append(Question(key, text, value, options, key in self.given))
        try:
            return read(value)
        except InputError as error:
            raise error.at(f"answer {key}") from None

    def ordered(self) -> tuple[Question, ...]:
        """The questions, those first that change most of an answer."""
        return tuple(sorted(self.questions, key=lambda one: _DECISIVE.index(one.key)))

    def check(self) -> None:
        """InputError: an answer was given to what nobody asked."""
        asked = [one.key for one in self.questions]
        for key in self.given:
            if key not in asked:
                remedy = suggestion(key, asked) if asked else "These files leave no question"
                raise InputError("this answers no question", value=key, remedy=remedy)
