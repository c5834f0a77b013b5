#!/usr/bin/env python3
"""The flame graph and the call graph of cellstat's page against calls that were made up here, and so are known.

Usage: stat_drawings_test.py CELLSTAT

A frame stands within the one that it is called from, and is as wide as its part of the time; calls and ticks in titles are
those of the calls that were made up.  Arrows lead from the box of a caller to that of what it calls, and boxes do not
overlap.  Thousands of routines, deep ones and names of any bytes leave a page of at most 4 MB that says what it leaves out.
"""
import collections
import html
import pathlib
import random
import re
import subprocess
import sys
import tempfile

BYTES_MAX, FRAMES_MAX, DEPTH_MAX, WIDTH, LINE, NODES_MAX = 4 << 20, 2000, 64, 9600, 200, 40
HOSTILE = ["<b>bold</b>", "a&b", '"q"', "';--", "operator<<", "tab\there", "é", "\u202eright", "x" * 700, "]]>", "%s%n", "ä;b"]
NUMBER = "([0-9\u202f]+)"


class Calls:
    """Nested calls of one thread, and what they come to: by paths, and by caller and callee."""

    def __init__(self):
        self.rows, self.now, self.stack, self.began = [], 0, [], []
        self.calls, self.total = collections.Counter(), collections.Counter()
        self.pairs = collections.Counter()

    def spend(self, ticks):
        self.now += ticks

    def enter(self, name):
        self.rows.append(("ENTER", self.now, name))
        self.pairs[self.stack[-1] if self.stack else None, name] += 1
        self.stack.append(name)
        self.began.append(self.now)
        self.calls[tuple(self.stack)] += 1

    def leave(self):
        self.rows.append(("EXIT", self.now, ""))
        self.total[tuple(self.stack)] += self.now - self.began.pop()
        self.stack.pop()

    def write(self, path):
        lines = ["thread,time,event,routine"]
        for event, time, name in self.rows:
            quoted = name.replace('"', '""')
            lines.append(f'a,{time},{event},"{quoted}"')
        path.write_bytes("\n".join(lines + [""]).encode("utf-8", "surrogateescape"))


def wander(seed, names, steps, depth):
    chance, calls = random.Random(seed), Calls()
    calls.enter(names[0])
    for _ in range(steps):
        calls.spend(chance.choice([0, 1, 2, 5, 100]))
        if len(calls.stack) > 1 and (len(calls.stack) >= depth or chance.random() < 0.5):
            calls.leave()
        else:
            calls.enter(chance.choice(names))
    while calls.stack:
        calls.spend(1)
        calls.leave()
    return calls


def number(text):
    return int(text.replace("\u202f", ""))


def drawing(page, name):
    found = re.search(rf'<svg id="{name}"[^>]*>(.*?)</svg>(.*?)</figure>', page, re.S)
    return found.group(1), html.unescape(re.sub("<.*?>", "", found.group(2)))


def check_frames(page, calls):
    """Frames by themselves are paths; all are within the frame above them, and side by side."""
    shapes, caption = drawing(page, "flame-graph")
    frames = [(int(x), int(y), int(width), shown, html.unescape(title)) for shown, x, y, width, title in
              re.findall(r'<rect class="frame ([a-z0-9]+)" x="(\d+)" y="(\d+)" width="(\d+)" height="200"><title>(.*?)</title>', shapes, re.S)]
    assert 0 < len(frames) <= FRAMES_MAX and max(frame[1] for frame in frames) < DEPTH_MAX * LINE
    whole = sum(total for path, total in calls.total.items() if len(path) == 1)
    known = collections.defaultdict(list)
    for path, total in calls.total.items():
        known[len(path) - 1, calls.calls[path], total].append(path[-1])
    others = 0
    for x, y, width, shown, title in frames:
        assert 0 <= x and x + width <= WIDTH, title
        assert y == 0 or any(x >= a and x + width <= a + w and kind != "others" for a, b, w, kind, _ in frames if b == y - LINE), title
        assert not any(b == y and a < x < a + w for a, b, w, *_ in frames), title
        if shown == "others":
            others += number(re.match(NUMBER, title).group(1))
            continue
        name, count, ticks = re.match(rf"(.*): {NUMBER} calls?, {NUMBER} ticks", title, re.S).groups()
        names = known[y // LINE, number(count), number(ticks)]
        assert any(name == want.replace(";", ":") or not (want.isascii() and want.isprintable()) or len(want) > 80 for want in names), title
        assert abs(width - number(ticks) * WIDTH / whole) <= y // LINE + 2, title
    own = sum(shown != "others" for *_, shown, _ in frames)
    return own, others, caption


def check_all_drawn(page, calls):
    own, others, caption = check_frames(page, calls)
    hidden = re.search(NUMBER + " paths? of", caption)
    wide = [path for path, total in calls.total.items()
            if all(calls.total[path[:n]] * WIDTH >= 20 * sum(t for p, t in calls.total.items() if len(p) == 1) for n in range(1, len(path) + 1))]
    assert own >= len(wide), (own, len(wide))
    assert own + others + (number(hidden.group(1)) if hidden else 0) <= len(calls.total)


def check_graph(page, calls, plain):
    shapes, caption = drawing(page, "call-graph")
    boxes = {}
    for x, y, width, height, title in re.findall(r'<rect class="box" x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"><title>(.*?)</title>', shapes, re.S):
        name, count = re.match(rf"(.*): {NUMBER} calls?(?:, {NUMBER} by itself)?$", html.unescape(title), re.S).groups()[:2]
        box = int(x), int(y), int(width), int(height)
        assert all(box[0] + box[2] <= a or a + w <= box[0] or box[1] + box[3] <= b or b + h <= box[1] for a, b, w, h in boxes.values()), title
        boxes[name] = box
        if plain:
            assert number(count) == sum(n for (_, callee), n in calls.pairs.items() if callee == name), title
    assert 0 < len(boxes) <= NODES_MAX
    arrows = re.findall(r'<g><title>(.*?)</title><path class="call( open)?" stroke-width="(\d+)"\s+d="M(\d+) (\d+)C(.*?)"/>', shapes, re.S)
    for title, back, width, x, y, curve in arrows if plain else []:
        caller, callee, count = re.match(rf"(.*) calls (.*): {NUMBER} calls?, ", html.unescape(title)).groups()
        assert number(count) == calls.pairs[caller, callee], title
        left, right = (callee, caller) if back else (caller, callee)
        a, b, w, h = boxes[left]
        assert a + w <= int(x) <= a + w + 100 and b < int(y) < b + h, title
        end = [int(n) for n in re.findall(r"-?\d+", curve)]
        a, b, w, h = boxes[right]
        assert a - 100 <= end[-2] <= a and b < end[-1] < b + h and int(width) >= 10, title
    if plain and "of" not in caption.split("dashed.")[1]:
        assert len(arrows) == len([pair for pair in calls.pairs if pair[0] not in (None, pair[1])]), caption
        assert len(boxes) == len({callee for _, callee in calls.pairs})
    return caption


def page_of(cellstat, folder, calls, verb):
    calls.write(folder / "t.csv")
    subprocess.run([cellstat, *verb.split(), folder / "t.csv", "-q", "-o", folder / "t.html"], check=True)
    data = (folder / "t.html").read_bytes()
    assert len(data) <= BYTES_MAX, len(data)
    return data.decode()


def main():
    cellstat, frames = sys.argv[1], 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for seed in range(12):
            names = [f"routine{i}" for i in range(2 + 2 * (seed % 6))]
            calls = wander(seed, names, 40 + 60 * seed, 3 + seed % 5)
            page = page_of(cellstat, folder, calls, "summary" if seed % 2 else "calls --top=0")
            check_all_drawn(page, calls)
            check_graph(page, calls, True)
            frames += page.count('class="frame')
        calls = wander(99, ["main", *HOSTILE], 2000, 6)
        page = page_of(cellstat, folder, calls, "summary")
        check_frames(page, calls)
        check_graph(page, calls, False)
        assert "<b>bold" not in page and "&lt;b&gt;bold" in page
        many = wander(7, ["main", *(f"function_with_a_long_name_{i}" for i in range(5000))], 40000, 90)
        page = page_of(cellstat, folder, many, "summary")
        own, _, caption = check_frames(page, many)
        assert "not drawn" in caption and own < len(many.total), caption
        routines = re.search(f"of {NUMBER} routines", check_graph(page, many, False)).group(1)
        assert number(routines) == len({callee for _, callee in many.pairs}) > 4000, routines
    print(f"{frames} frames")
    return 0


sys.exit(main())
