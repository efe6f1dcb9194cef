"""What happened: records of runs, beside what was predicted."""
