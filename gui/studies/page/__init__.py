"""The page of any study: form, answer, tables and plots."""
