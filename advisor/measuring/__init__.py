"""What a machine is, by measuring it: load, speed, contention, memory, network and disk."""
