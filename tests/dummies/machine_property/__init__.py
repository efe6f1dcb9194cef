"""A property of a machine: one field of `machines.platform.Machine`."""
