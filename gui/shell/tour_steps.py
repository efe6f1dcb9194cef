"""What the tour shows, in five steps on the example of two machines."""

from __future__ import annotations

from gui.shell.tour import Step

EXAMPLE = "two-machines-loaded"
STEPS = (
    Step(
        "The board is the schedule",
        "A lane is a machine, a bar is a task from its start to its end, and the line on the "
        "right is the makespan: when the last task ends. The pale part of a bar is time that "
        "the task waits for the processor.",
        "lazy_allocation",
    ),
    Step(
        "Drag a task",
        "While you drag, every machine shows what the makespan would be there: ▼ better, "
        "▲ worse. Drop it to move it, press Esc to leave it. With the keyboard: arrows, "
        "Enter, arrows, Enter.",
        "lazy_allocation",
    ),
    Step(
        "The answer",
        "The best plan that was found, in one sentence with its gain. Why? shows what it "
        "saves, by cause, and which change of load would flip it. Apply makes it the "
        "current plan; Undo takes it back.",
        "dock_answer",
    ),
    Step(
        "Change the load",
        "Click a machine or a link and edit its fields here. Move the slider of the "
        "contenders, the applications that run there already, and watch the board and the "
        "answer follow.",
        "dock_inspector",
    ),
    Step(
        "See where the answer holds",
        "The decision map colours which plan is best for every load. The other tabs show "
        "where the time goes and the schedule in rows; Compare on the left puts plans side "
        "by side.",
        "dock_decision_map",
    ),
)
