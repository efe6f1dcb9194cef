"""The window: its start, actions, menus, bars, pages, files and tour."""
