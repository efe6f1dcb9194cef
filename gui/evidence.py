"""The page Evidence: every published number beside what the models give for it."""

from __future__ import annotations
