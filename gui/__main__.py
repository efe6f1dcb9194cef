"""``python -m gui``: the same as the command `placewise`."""

import sys

from gui.shell.launch import main

if __name__ == "__main__":
    sys.exit(main())
