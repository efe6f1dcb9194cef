"""WfFormat, the workflow instances of WfCommons (docs/files.md)."""
