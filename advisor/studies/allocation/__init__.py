"""Study: which task goes to which machine."""
