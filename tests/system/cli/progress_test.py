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

LINE = re.compile(r"(reading|relaxing|diagnosing|profiling|closing|statistics|measuring|explaining|drawing|writing|syncing|pairing|listing pairs|reporting|"
                  r"checking) (?: *(\d+) %|[\d.]+ MB)"
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


def stages(text):
    return list(dict.fromkeys(LINE.fullmatch(line)[1] for line in lines(text)))


STAGES = {
    "s.pex -q -o o.ctf": "reading, statistics, writing, syncing",
    "s.pex -q --explain=ppe,spe1.1": "reading, statistics, explaining",
    "s.pex -q --graph=g.dot": "reading, statistics, drawing, syncing",
    "s.pex -q -r l.json --pairs=live": "reading, statistics, pairing, listing pairs, syncing",
    "s.pex -q -r r.html": "reading, statistics, pairing, reporting, explaining, syncing",
    "--check o.pex": "checking",
}


def main():
    cellsync, tracegen = map(os.path.abspath, sys.argv[1:3])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run([tracegen, "t", "115000", "6", "40", "20", "1"], cwd=folder, check=True)
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
        assert "\r\x1b[K# cellsync " in text and "writing" not in text, text[:200]
        assert len(left.split("\n")) == 2000 + 5  # with facts, a warning, the time base, names of columns, and the end

        # What is asked for comes at once, stage by stage.
        text, left, _ = run([cellsync, "s.pex", "-q", "-o", "o.pex", "-r", "o.csv", "--progress=always"], folder)
        assert left == "" and stages(text) == ["reading", "statistics", "writing", "syncing", "listing pairs"], text

        # Each kind of work has its stages, and leaves nothing of them behind.
        for options, want in STAGES.items():
            text, left, data = run([cellsync, *options.split(), "--progress=always"], folder)
            assert stages(text) == want.split(", "), (options, stages(text))
            plain = subprocess.run([cellsync, *options.split()], cwd=folder, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            assert data == plain.stdout and left.encode() == plain.stderr, (options, left)

        # An unhappy relaxation counts its rounds.
        (folder / "paper.csv").write_text("thread,time\n" + "".join(
            f"t{i},{(7 * i * i + 13 * j) % 50 + 40 * j}\n" for j in range(4) for i in range(60)))
        text, left, _ = run([cellsync, "paper.csv", "-q", "--relax=paper", "-r", "p.txt", "--progress=always"], folder)
        assert stages(text)[:2] == ["reading", "relaxing"] and left == "", stages(text)
        print(f"{len(shown)} lines of progress, all wiped; the last: {shown[-1]}")


main()
