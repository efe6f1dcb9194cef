"""What the rows of a campaign show: profiles, wins, significance, gaps and times by size."""
