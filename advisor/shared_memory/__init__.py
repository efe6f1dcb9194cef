"""Shared-memory programs on workstations: what they do, what that costs, and their files."""
