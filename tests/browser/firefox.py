"""Debian's Firefox, driven by WebDriver BiDi: JSON over one websocket. Playwright drives a Firefox of its own only."""

import json
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

from websocket import WebSocket, create_connection

from tests.browser.live import PATIENCE

NOBODY = 9  # a port on which nobody listens
# Every host but this machine is asked through a proxy that is not there.
PREFERENCES = {
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": NOBODY,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": NOBODY,
    "datareporting.policy.dataSubmissionEnabled": False,
    "browser.shell.checkDefaultBrowser": False,
}
KEYS = {"Enter": "\ue007", "Control": "\ue009", "Shift": "\ue008"}


def find_firefox() -> str | None:
    """The program, if it is installed."""
    return shutil.which("firefox-esr") or shutil.which("firefox")


class Firefox:
    """A headless Firefox with one page, and what the page asked for and complained of."""

    def __init__(self, program: str, profile: Path) -> None:
        lines = [
            f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()
        ]
        (profile / "user.js").write_text("\n".join(lines), "utf-8")
        options = ["--headless", "--no-remote", "--profile", str(profile), "--remote-debugging-port=0"]
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen([program, *options, "about:blank"], stdout=quiet, stderr=quiet)
        self.requests: list[str] = []
        self.errors: list[str] = []
        self.asked = 0
        self.socket = self._connected(profile / "WebDriverBiDiServer.json")
        self.ask("session.new", capabilities={})
        self.ask("session.subscribe", events=["network.beforeRequestSent", "log.entryAdded"])
        # on the page with which a headless Firefox starts, nothing ever has the focus
        self.page = self.ask("browsingContext.create", type="tab")["context"]

    def _connected(self, told: Path) -> WebSocket:
        """The socket, once Firefox has written down where it listens."""
        until = time.monotonic() + PATIENCE / 1000
        while time.monotonic() < until and self.process.poll() is None:
            if told.is_file() and (text := told.read_text("utf-8")):
                address = f"ws://127.0.0.1:{json.loads(text)['ws_port']}/session"
                return create_connection(address, timeout=PATIENCE / 1000, suppress_origin=True)
            time.sleep(0.1)
        raise AssertionError("Firefox did not start")

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and return its result; what happens meanwhile is heard."""
        self.asked += 1
        self.socket.send(json.dumps({"id": self.asked, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv())
            if message.get("id") == self.asked:
                assert message["type"] == "success", message
                return message["result"]
            self._hear(message)

    def _hear(self, message: dict[str, Any]) -> None:
        if message.get("method") == "network.beforeRequestSent":
            self.requests.append(message["params"]["request"]["url"])
        elif message.get("method") == "log.entryAdded" and message["params"]["level"] == "error":
            self.errors.append(message["params"]["text"])

    def open(self, url: str) -> None:
        self.ask("browsingContext.navigate", context=self.page, url=url, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """The value of an expression in the page: a text, a number, or nothing."""
        return self._asked_for(expression).get("value")

    def _asked_for(self, expression: str) -> dict[str, Any]:
        target = {"context": self.page}
        told = self.ask("script.evaluate", expression=expression, target=target, awaitPromise=True)
        assert told["type"] == "success", told["exceptionDetails"]["text"]
        return told["result"]

    def wait_for(self, expression: str) -> Any:
        """Ask until the value is true."""
        until = time.monotonic() + PATIENCE / 1000
        while time.monotonic() < until:
            if value := self.evaluate(expression):
                return value
            time.sleep(0.2)
        raise AssertionError(f"it never became true: {expression}")

    def click(self, selector: str) -> None:
        """Click on the middle of an element, once it is there."""
        found = f"document.querySelector({selector!r})"
        self.wait_for(f"{found} !== null")
        self.evaluate(f"{found}.scrollIntoView({{block: 'center'}})")
        element = {"sharedId": self._asked_for(found)["sharedId"]}
        moves = [
            {"type": "pointerMove", "x": 0, "y": 0, "origin": {"type": "element", "element": element}},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self._act({"type": "pointer", "id": "mouse", "actions": moves})

    def type(self, text: str) -> None:
        """Press and release one key after the other."""
        self._press([key for letter in text for key in (("keyDown", letter), ("keyUp", letter))])

    def press(self, chord: str) -> None:
        """Press some keys together: `press("Control+Enter")`."""
        keys = [KEYS.get(name, name) for name in chord.split("+")]
        self._press([("keyDown", key) for key in keys] + [("keyUp", key) for key in reversed(keys)])

    def _press(self, moves: list[tuple[str, str]]) -> None:
        keys = [{"type": kind, "value": key} for kind, key in moves]
        self._act({"type": "key", "id": "keys", "actions": keys})

    def _act(self, action: dict[str, Any]) -> None:
        self.ask("input.performActions", context=self.page, actions=[action])

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=60)
        self.socket.close()
