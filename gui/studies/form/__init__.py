"""Forms made of a study's parameter record."""
