"""One made-up example of each thing that can be added: its one file, and nothing else."""
