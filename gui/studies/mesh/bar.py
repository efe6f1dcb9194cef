"""The bar above the picture of a mapping: which order is shown, and what can be done with it."""

from __future__ import annotations

from PySide6.QtGui import QUndoStack

from gui.studies.picture.picture_bar import BarWords, PictureBar

_WORDS = BarWords(
    name="mapping",
    choice="Order that is shown",
    choice_hint="Which of the compared orders is shown; the best one by itself",
    step="a change of your own mapping",
    best_hint="Give your own mapping up and show the best order (one step)",
    fit_hint="Show the whole network (F)",
    export="Export mapping…",
    export_hint="Write the mapping for mpirun, mpiexec or srun, or as CSV",
    picture_hint="Copy or export the picture (SVG, PDF, PNG) and the loads of the channels (CSV)",
)


def mapping_bar(undo_stack: QUndoStack) -> PictureBar:
    """The controls of a `MappingView`."""
    return PictureBar(_WORDS, undo_stack)
