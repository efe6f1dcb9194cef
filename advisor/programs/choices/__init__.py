"""What a plan may choose about a program inside a task: one file each."""
