"""The subcommands of the command line, by topic; `cli` parses and dispatches to them.

Each takes the parsed arguments and returns the exit status; errors are raised.
"""
