"""What runs inside a parallel task: programs of messages or of shared memory."""
