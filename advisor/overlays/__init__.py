"""Trees of processes that run beside an application: what they take from its machines and links."""
