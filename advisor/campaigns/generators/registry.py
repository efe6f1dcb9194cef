"""The families that campaigns can draw from, by name."""

from advisor.campaigns.generators.generator import Generator

GENERATORS: dict[str, Generator] = {}
