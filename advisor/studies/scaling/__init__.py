"""Study: how many processors a program is worth."""
