"""Study: where a shared-memory program's time goes."""
