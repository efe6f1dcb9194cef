"""The model as tables that are edited: tasks, flows, machines, links."""
