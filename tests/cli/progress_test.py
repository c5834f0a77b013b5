#!/usr/bin/env python3
"""Progress, seen through a terminal: shown of long work only, wiped, and never mixed with messages or data.

Usage: progress_test.py CELLSYNC TRACEGEN
"""
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile

LINE = re.compile(r"(reading|closing|statistics|writing|listing pairs) (?: *(\d+) %|[\d.]+ MB)"
                  r"(, [\d.]+ (MB|threads)/s(, [\d:]+ (s|min|h) left)?)?")


def run(command, folder, out_too=False):
    """What a terminal got: everything, and what is left on it when lines are written over; and stdout."""
    near, far = pty.openpty()
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=far if out_too else out, stderr=far)
        os.close(far)
        got = b""
        while True:
            try:
                piece = os.read(near, 65536)
            except OSError:  # Linux: the last one has closed it
                piece = b""
            if not piece:
                break
            got += piece
        os.close(near)
        assert child.wait() == 0, (command, got)
        out.seek(0)
        data = out.read()
    text = got.decode().replace("\r\n", "\n")
    left = re.sub(r"[^\n]*\r\x1b\[K|[^\n]*\r(?=[a-z])", "", text)
    assert "\r" not in left and "\x1b" not in left, (command, text)
    return text, left, data


def lines(text):
    shown = [line for line in re.findall(r"\r([^\r\n]*)\x1b\[K", text) if line]
    for line in shown:
        assert LINE.fullmatch(line), line
    return shown


def main():
    cellsync, tracegen = map(os.path.abspath, sys.argv[1:3])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([tracegen, "t", "140000", "6", "40", "20", "1"], cwd=folder, check=True)
        subprocess.run([tracegen, "s", "2000", "6", "40", "20", "1"], cwd=folder, check=True)
        slow = [cellsync, "t.pex", "--engine=dense", "--threads=1", "--pairs=none", "--report-format=json"]
        plain = subprocess.run(slow, cwd=folder, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert b"\r" not in plain.stderr and plain.stderr.startswith(b"cellsync: warning: "), plain.stderr

        text, left, data = run(slow, folder)
        shown = lines(text)
        assert left.encode() == plain.stderr and data == plain.stdout, (left, plain.stderr)
        assert len(shown) > 1 and any(re.search(r"^closing.*threads/s, .* left$", line) for line in shown), shown
        assert text.index("\r\x1b[Kcellsync: warning: ") > text.index(shown[-1])

        # Nothing where it is not wanted: quietly, never, where work is short, where data goes to the same screen.
        for command in [[*slow, "-q"], [*slow, "--progress=never"], [cellsync, "s.pex"]]:
            text, left, _ = run(command, folder)
            assert text == left and ("-q" in command) == (text == ""), (command, text)
        text, left, _ = run([cellsync, "s.pex", "-o", "-", "--to=csv", "--progress=always", "-q"], folder, True)
        assert "\r\x1b[K# timebase_hz" in text and "writing" not in text, text[:200]
        assert len(left.split("\n")) == 2000 + 3

        # What is asked for comes at once, stage by stage.
        text, left, _ = run([cellsync, "s.pex", "-q", "-o", "o.pex", "-r", "o.csv", "--progress=always"], folder)
        stages = list(dict.fromkeys(LINE.fullmatch(line)[1] for line in lines(text)))
        assert left == "" and stages == ["reading", "statistics", "writing", "listing pairs"], stages
        print(f"{len(shown)} lines of progress, all wiped; the last: {shown[-1]}")


main()
