"""What every widget uses: theme, icons, errors, figures, settings and background work."""
