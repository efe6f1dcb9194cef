"""Tests of `gui.model`."""
