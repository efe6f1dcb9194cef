"""Tests of the page of campaigns."""
