"""The logs of engines, one file each."""
