"""Programs whose commands ship with an example, so that its plan can be carried out."""
