"""Study: what changes the makespan most, and from where on another plan is best."""
