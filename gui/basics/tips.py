"""Tooltips of text that is not ours: names and commands are shown as they are written."""

from __future__ import annotations

import html

from PySide6.QtGui import Qt


def plain_tip(text: str) -> str:
    """The text as a tooltip that shows it letter by letter, whatever markup is in it."""
    if not Qt.mightBeRichText(text):
        return text
    return f'<p style="white-space: pre-wrap">{html.escape(text)}</p>'
