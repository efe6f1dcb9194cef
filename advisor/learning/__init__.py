"""What runs tell of tasks, machines, links and runtimes."""
