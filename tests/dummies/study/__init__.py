"""A study as an example: how often must a die be thrown until a six shows?

Everything of it is in this folder. What the folder of a real one, `advisor/studies/<name>/`, can't
hold is in `lines`: its line in the list of questions, and the line of its picture's view.
"""
