"""Every number that the models' papers print, beside what the models give."""
