"""A headless Chromium, spoken to over the pipe of its DevTools protocol: messages in JSON, a NUL after each."""
import json
import os
import shutil
import subprocess
import time


def chromium():
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return next((found for found in map(shutil.which, names) if found), None)


def adopt(reads, writes):
    """The browser's ends of the pipes become 3 and 4, wherever they were."""
    reads, writes = os.dup2(reads, 100), os.dup2(writes, 101)
    os.dup2(reads, 3)
    os.dup2(writes, 4)


class Browser:
    """One page of a browser; the profile is a folder of its own."""

    def __init__(self, program, profile, address):
        reads, self.writes = os.pipe()
        self.reads, writes = os.pipe()
        self.child = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe",
             f"--user-data-dir={profile}", "about:blank"],
            preexec_fn=lambda: adopt(reads, writes), close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(reads)
        os.close(writes)
        self.buffer, self.calls, self.session = b"", 0, None
        target = self.call("Target.createTarget", url=address)["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        end = time.monotonic() + 60
        while not self.run("document.readyState === 'complete' && location.href !== 'about:blank'"):
            assert time.monotonic() < end, f"{address} does not load"
            time.sleep(0.1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.session = None
        self.call("Browser.close")
        self.child.wait(60)

    def call(self, method, **parameters):
        """What the browser answers; its events pass unseen."""
        self.calls += 1
        message = {"id": self.calls, "method": method, "params": parameters}
        text = memoryview(json.dumps(message | ({"sessionId": self.session} if self.session else {})).encode() + b"\0")
        while text:
            text = text[os.write(self.writes, text):]
        while True:
            while b"\0" not in self.buffer:
                piece = os.read(self.reads, 1 << 16)
                assert piece, f"the browser has ended; {method}"
                self.buffer += piece
            answer, self.buffer = self.buffer.split(b"\0", 1)
            answer = json.loads(answer)
            if answer.get("id") == self.calls:
                assert "error" not in answer, (method, answer["error"])
                return answer["result"]

    def run(self, script):
        """The value of JavaScript, a promise awaited; an assertion where it throws."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")
