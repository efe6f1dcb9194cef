"""Many cases at once: what a campaign asks, its cases, their answers, and what they show."""
