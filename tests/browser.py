"""A real browser without a window, for the tests that run where one is: Chromium or Chrome.

It is spoken to through a pair of pipes (Chrome DevTools Protocol, one JSON object a message), so
that nothing beside the browser is needed. Where there is none, tests are skipped with the reason.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-extensions", "--mute-audio", "--remote-debugging-pipe",
)  # fmt: skip


class Browser:
    """One page of a running browser; every event that it tells is kept."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self._to, self._from = to_browser, from_browser
        self._number, self._rest = 0, b""
        self._session = ""
        self.events: list[dict[str, Any]] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **parameters: object) -> dict[str, Any]:
        """Ask for something and wait for the answer."""
        self._number += 1
        message: dict[str, object] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            told = self._next()
            if told.get("id") == self._number:
                if "error" in told:
                    raise AssertionError(f"{method}: {told['error']}")
                return dict(told["result"])
            self.events.append(told)

    def open(self, file: Path, width: int = 1000, height: int = 800, *, dark: bool = False) -> None:
        """Show a file at a width in CSS pixels; below 600 as a phone does."""
        phone = width < 600
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=phone,
        )  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.events.clear()
        self.call("Page.navigate", url=file.as_uri())
        while not any(one.get("method") == "Page.loadEventFired" for one in self.events):
            self.events.append(self._next())

    def value(self, expression: str) -> Any:
        """What an expression gives on the page."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def complaints(self) -> list[str]:
        """What it said on its console, and what threw."""
        kinds = {"Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"}
        return [json.dumps(one["params"]) for one in self.events if one.get("method") in kinds]

    def fetched(self) -> list[str]:
        """The addresses that were asked for."""
        return [
            str(one["params"]["request"]["url"])
            for one in self.events
            if one.get("method") == "Network.requestWillBeSent"
        ]

    def picture(self) -> bytes:
        """All of the page as PNG."""
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=True)
        return base64.b64decode(shot["data"])

    def pdf(self) -> bytes:
        """The page as it is printed, on the paper that it asks for."""
        made = self.call("Page.printToPDF", preferCSSPageSize=True, printBackground=False)
        return base64.b64decode(made["data"])

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            part = os.read(self._from, 1 << 20)
            assert part, "the browser has ended"
            self._rest += part
        message, _, self._rest = self._rest.partition(b"\0")
        return dict(json.loads(message))


@cache
def found_browser() -> str:
    """Where the browser is; empty: nowhere."""
    return next(filter(None, map(shutil.which, NAMES)), "")


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser, ended afterwards; skips the test that asks if there is none."""
    program = found_browser()
    if not program:
        pytest.skip(f"no browser here: none of {', '.join(NAMES)}")
    # its helpers may still write there when it has ended
    with tempfile.TemporaryDirectory(
        prefix="placewise-browser-", ignore_cleanup_errors=True
    ) as home:
        its_in, to_browser = (_high(one) for one in os.pipe())
        from_browser, its_out = (_high(one) for one in os.pipe())
        process = os.posix_spawn(
            program,
            [program, *_FLAGS, f"--user-data-dir={home}"],
            os.environ,
            file_actions=[
                *((os.POSIX_SPAWN_OPEN, one, os.devnull, os.O_RDWR, 0) for one in (0, 1, 2)),
                # the protocol's own numbers: the browser reads from 3 and writes to 4
                (os.POSIX_SPAWN_DUP2, its_in, 3),
                (os.POSIX_SPAWN_DUP2, its_out, 4),
            ],
        )
        os.close(its_in)
        os.close(its_out)
        try:
            yield Browser(to_browser, from_browser)
        finally:
            os.close(to_browser)
            os.close(from_browser)
            os.kill(process, signal.SIGTERM)
            os.waitpid(process, 0)


def _high(descriptor: int) -> int:
    """The same file under a number that none of the protocol's is, closed in other programs."""
    number = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(descriptor)
    return number
