"""Messages through the pipe of another process: arrays go beside the rest, uncopied. No Qt.

To copy the arrays of 30,000 tasks into one message keeps the interpreter from the window for 20 ms;
a pipe that is given an array itself lets go of the interpreter as long as it writes.
"""

from __future__ import annotations

import pickle
from multiprocessing.connection import Connection

_TRIES = 100  # each time another thread changed what is pickled


def send(pipe: Connection, message: object) -> None:
    """Send a message, for `receive`.

    Raises `OSError`: the other end is closed.
    """
    content, arrays = pickled(message)
    pipe.send_bytes(len(arrays).to_bytes(8, "big") + content)
    for array in arrays:
        pipe.send_bytes(array.raw())


def receive(pipe: Connection) -> object:
    """Wait for what `send` sends; its arrays can be written to as those could.

    Raises `EOFError, OSError`: the other end is closed.
    """
    content = memoryview(pipe.recv_bytes())
    arrays = [bytearray(pipe.recv_bytes()) for _ in range(int.from_bytes(content[:8], "big"))]
    return pickle.loads(content[8:], buffers=arrays)


def pickled(message: object) -> tuple[bytes, list[pickle.PickleBuffer]]:
    """A message without its arrays, and these; again where another thread filled a cache in it."""
    for _ in range(_TRIES):
        try:
            return _pickled(message)
        except RuntimeError as error:
            if type(error) is not RuntimeError:  # too deep, which stays so
                raise
    return _pickled(message)


def _pickled(message: object) -> tuple[bytes, list[pickle.PickleBuffer]]:
    arrays: list[pickle.PickleBuffer] = []
    return pickle.dumps(message, protocol=5, buffer_callback=arrays.append), arrays
