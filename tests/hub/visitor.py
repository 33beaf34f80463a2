"""Somebody who logs in at a JupyterHub with a password and works in their own server, as a browser would."""

import contextlib
import json
import re
import time
import uuid

import httpx
import websocket

PATIENCE = 120  # seconds for a server to start, or for a cell to end, on a busy machine


class Visitor:
    """A person at the hub; `ask` speaks to their own server, `types` runs a cell in a kernel of theirs."""

    def __init__(self, hub, person, password):
        self.name, self.hub = person.name, hub
        self.token = self._log_in(password)
        self.server = httpx.Client(
            base_url=f"{hub}/user/{self.name}/",
            headers={"Authorization": f"token {self.token}"},
            timeout=PATIENCE,
        )
        self.socket = None

    def _log_in(self, password):
        """Through the page with the form, as everybody does; then a token, as the page *Token* gives one."""
        with httpx.Client(base_url=self.hub, follow_redirects=True, timeout=PATIENCE) as browser:
            page = browser.get("/hub/login")
            xsrf = re.search(r'name="_xsrf" value="([^"]+)"', page.text)[1]
            form = {"username": self.name, "password": password, "_xsrf": xsrf}
            page = browser.post("/hub/login?next=/hub/home", data=form)
            assert "Invalid username or password" not in page.text
            assert page.status_code == 200, page.text
            xsrf = re.search(r'xsrf_token: "([^"]+)"', page.text)[1]
            made = browser.post(f"/hub/api/users/{self.name}/tokens?_xsrf={xsrf}", json={"note": "a test"})
            return made.raise_for_status().json()["token"]

    def start(self):
        """Ask the hub for a server, and wait until it answers."""
        self.server.post(f"{self.hub}/hub/api/users/{self.name}/server").raise_for_status()
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            answer = self.server.get("api/status")
            if answer.status_code == 200:
                return
            time.sleep(0.25)
        raise AssertionError(f"the server of {self.name} did not start: {answer.status_code}")

    def ask(self, method, path, **content):
        """A request to the own server; returns what it answers, nbgrader's JSON under whatever type it comes."""
        answer = self.server.request(method, path, **content).raise_for_status()
        with contextlib.suppress(ValueError):
            return answer.json()
        return answer.text

    def types(self, code):
        """Run a cell in a kernel, started at the first one; returns all that it shows."""
        if self.socket is None:
            kernel = self.ask("POST", "api/kernels", json={"name": "python3", "path": ""})["id"]
            address = f"{self.server.base_url}api/kernels/{kernel}/channels".replace("http:", "ws:")
            header = [f"Authorization: token {self.token}"]
            self.socket = websocket.create_connection(address, header=header, timeout=30)
        request = _request(code)
        self.socket.send(json.dumps(request))
        shown = ""
        for message in self._answers(request["header"]["msg_id"]):
            content = message["content"]
            shown += content.get("text", "") + content.get("data", {}).get("text/plain", "")
            if message["msg_type"] == "error":
                raise AssertionError("\n".join(content["traceback"]))
        return shown

    def _answers(self, request):
        """What the kernel says about a request, until it is idle again."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            with contextlib.suppress(
                websocket.WebSocketTimeoutException
            ):  # silence for a while is no failure
                message = json.loads(self.socket.recv())
                if message["parent_header"].get("msg_id") != request:
                    continue
                yield message
                if message["content"].get("execution_state") == "idle":
                    return
        raise AssertionError(f"the kernel of {self.name} did not come to an end")

    def types_in_terminal(self, line):
        """Open a terminal, as the launcher does, type a line, and return all that is shown."""
        name = self.ask("POST", "api/terminals", json={"cwd": ""})["name"]
        address = f"{self.server.base_url}terminals/websocket/{name}".replace("http:", "ws:")
        header = [f"Authorization: token {self.token}"]
        with contextlib.closing(websocket.create_connection(address, header=header, timeout=30)) as socket:
            socket.send(json.dumps(["stdin", f"{line}; echo END$((40 + 2))\r"]))
            shown, until = "", time.monotonic() + PATIENCE
            while "END42" not in shown and time.monotonic() < until:
                with contextlib.suppress(websocket.WebSocketTimeoutException):
                    kind, *text = json.loads(socket.recv())
                    shown += "".join(map(str, text)) if kind == "stdout" else ""
        return shown

    def leave(self):
        """Close what was opened."""
        if self.socket is not None:
            self.socket.close()
        self.server.close()


def _request(code):
    header = {"msg_id": uuid.uuid4().hex, "msg_type": "execute_request", "session": "one", "username": ""}
    content = {"code": code, "silent": False, "store_history": False, "allow_stdin": False}
    header["version"] = "5.3"
    return {"channel": "shell", "header": header, "parent_header": {}, "metadata": {}, "content": content}
