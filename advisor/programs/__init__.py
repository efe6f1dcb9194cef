"""What runs inside a parallel task: each kind of program is one file and a line in `kinds`."""
