"""Pages of the studies: form, answer, plots, and pictures that are edited by hand."""
