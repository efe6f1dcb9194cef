"""What every room uses: quantities in words, causes of time, JSON, CSV and host lists as text."""
