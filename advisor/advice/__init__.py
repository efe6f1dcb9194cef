"""Why an answer is the answer, and what would change it."""
