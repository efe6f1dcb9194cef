"""Families of random workloads, one file each, that campaigns draw their cases from."""
