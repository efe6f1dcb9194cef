"""What the user has open: the project, its edits, and the files that it is read from."""
