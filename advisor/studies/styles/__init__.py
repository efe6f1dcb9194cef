"""Study: how to send messages."""
