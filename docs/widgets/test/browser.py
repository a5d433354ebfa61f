"""Chromium without a window, driven through its debugging pipe: no driver and no package besides the browser."""
import base64
import contextlib
import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time

FLAGS = ("--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage", "--mute-audio")
NAMES = ("chromium", "chromium-browser", "google-chrome")
ANSWER_S = 60


class BrowserError(Exception):
    """The browser does not answer, or a script in the page failed."""


def high_pipe():
    """Both ends of a pipe, with numbers that are not 3 or 4."""
    ends = []
    for end in os.pipe():
        ends.append(fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10))
        os.close(end)
    return ends


class Browser:
    """One process with one tab."""

    def __init__(self):
        program = next((found for name in NAMES if (found := shutil.which(name))), None)
        if program is None:
            raise BrowserError("there is no Chromium: apt-get install chromium")
        self.profile = tempfile.mkdtemp()
        (to_read, self.to), (self.of, from_write) = high_pipe(), high_pipe()
        # 3 is what the browser reads, 4 what it writes. A shell puts them there: several threads start browsers.
        start = f'exec "$@" 3<&{to_read} 4>&{from_write}'
        self.process = subprocess.Popen(["bash", "-c", start, "bash", program, *FLAGS, f"--user-data-dir={self.profile}", "about:blank"],
                                        pass_fds=(to_read, from_write), start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(from_write)
        self.buffer, self.last_id, self.session, self.events = b"", 0, None, []
        target = next(t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self):
        """Ends the processes that this object started."""
        self.process.terminate()
        self.process.wait(20)
        # Helpers outlive the browser for a moment and write into its profile.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        os.close(self.to)
        os.close(self.of)
        for _ in range(50):
            shutil.rmtree(self.profile, ignore_errors=True)
            if not os.path.exists(self.profile):
                break
            time.sleep(0.1)

    def message(self, until):
        """The next message of the browser, or None when the time is over."""
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.of], [], [], max(0, until - time.monotonic()))
            if not ready:
                return None
            chunk = os.read(self.of, 1 << 20)
            if not chunk:
                raise BrowserError("the browser has ended")
            self.buffer += chunk
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        """One command of the DevTools protocol and its result. Events that come meanwhile are kept."""
        self.last_id += 1
        request = {"id": self.last_id, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.to, json.dumps(request).encode() + b"\0")
        until = time.monotonic() + ANSWER_S
        while message := self.message(until):
            if message.get("id") == self.last_id:
                if "error" in message:
                    raise BrowserError(f"{method}: {message['error']['message']}")
                return message["result"]
            self.events.append(message)
        raise BrowserError(f"{method}: no answer after {ANSWER_S} s")

    def wait_for(self, event):
        """Waits until the event has come since the events were last taken."""
        until = time.monotonic() + ANSWER_S
        while not any(message.get("method") == event for message in self.events):
            message = self.message(until)
            if message is None:
                raise BrowserError(f"{event} did not come within {ANSWER_S} s")
            self.events.append(message)

    def open(self, path, fragment=""):
        """Loads a file and waits for its load event."""
        self.events.clear()
        answer = self.call("Page.navigate", url=path.as_uri() + fragment)
        if "errorText" in answer:
            raise BrowserError(f"{path}: {answer['errorText']}")
        self.wait_for("Page.loadEventFired")
        # On a busy machine that may have been the event of the page before.
        for _ in range(100):
            try:
                if self.evaluate("document.readyState + ' ' + location.href.split(/[?#]/)[0]") == "complete " + path.as_uri():
                    return
            except BrowserError:
                pass
            time.sleep(0.05)

    def evaluate(self, expression):
        """The value of a JavaScript expression; promises are waited for."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise BrowserError(answer["exceptionDetails"].get("exception", {}).get("description", expression))
        return answer["result"].get("value")

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def colours(self, scheme):
        """@param scheme "light" or "dark": what the system asks for."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def press(self, key, code=None, text=""):
        """A key goes down and up, as from a keyboard."""
        virtual = {"Tab": 9, "ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, "Enter": 13, "ArrowUp": 38, "ArrowDown": 40, "Escape": 27}.get(key, ord(key[0].upper()))
        common = {"key": key, "code": code or key, "windowsVirtualKeyCode": virtual}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=False)["data"]
        path.write_bytes(base64.b64decode(data))

    def complaints(self):
        """What the page said on its console that is an error, and scripts that failed, since it was opened."""
        texts = []
        for message in self.events:
            parameters = message.get("params", {})
            if message.get("method") == "Runtime.exceptionThrown":
                details = parameters["exceptionDetails"]
                texts.append(details.get("exception", {}).get("description", details["text"]))
            elif message.get("method") == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
                texts.append(" ".join(str(one.get("value", one.get("description", ""))) for one in parameters["args"]))
            elif message.get("method") == "Log.entryAdded" and parameters["entry"]["level"] == "error":
                texts.append(f"{parameters['entry']['text']} {parameters['entry'].get('url', '')}")
        return texts

    def requests(self):
        """Addresses that the page asked for since it was opened."""
        return [message["params"]["request"]["url"] for message in self.events if message.get("method") == "Network.requestWillBeSent"]
