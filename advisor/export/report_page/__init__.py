"""The report of a project: one page for people, whose sections are a file and a line each."""
