"""Trees of processes between a front-end and its back-ends: costs, search, edits, hosts, files."""
