#!/usr/bin/env python3
"""The HTML report says what the JSON report and the synchronized trace say, is whole, bounded and the same each time.

Usage: html_test.py CELLSYNC TESTDATA_FOLDER [--browser]

With --browser, what is read back is the document that headless Chromium makes of the page, which also must
have nothing to complain of and show light paper or dark.  Without a Chromium it says so and exits with 77.
"""
import pathlib
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib

from html_check import BYTES_MAX, Checker, Facts, run

SAMPLES = ["demo.pex", "samples/jitter.pex", "samples/steps-back.pex", "samples/stragglers.pex", "samples/switches.pex",
           "samples/rare-ppe.pex", "samples/tail-after-ppe.pex", "samples/one-sided.csv", "samples/paper.csv",
           "good/unbounded.pex", "good/rich.pex", "good/split.pex"]
HOSTILE = ["<script>alert(1)</script>", "a&b &amp; c", "\"quoted\" 'single'", "\x1b[31mred\x1b[0m", "back\\slash",
           "right\u202eleft", "zero\u200bwidth", "caf\u00e9 \U0001f40c", "\udcff\udcfe", "x" * 100,
           "</title></svg><img src=x onerror=alert(1)>", "]]>--><!--", "line\nfeed", "\u2028", "=1+1"]
PAPER = {False: (0xfd, 0xfd, 0xfb), True: (0x16, 0x18, 0x1b)}


def hostile_csv(path):
    """Each bad name in its turn, before and after records of one good thread."""
    rows = ["# timebase_hz = 14318000", "thread,time"]
    for i, name in enumerate(HOSTILE):
        quoted = '"' + name.replace('"', '""') + '"'
        rows += [f"ppe,{100 * i}", f"{quoted},{7 + i}", f"ppe,{100 * i + 30}", f"{quoted},{57 + i}"]
    path.write_bytes("\n".join([*rows, "ppe,99999", ""]).encode("utf-8", "surrogateescape"))


def many_csv(path, threads, name, seed):
    """So many threads, six of them live at a time beside one that goes on; seeded."""
    draw = random.Random(seed)
    now, rows, live, begun = 1000, ["# timebase_hz = 14318000", "thread,time"], [], 0
    while begun < threads or live:
        while begun < threads and len(live) < 6:
            live.append([begun, draw.randrange(-10**6, 10**6), draw.randrange(1, 12)])
            begun += 1
        now += draw.choice((1, 2, 5, 40)) if begun % 97 else 4000
        speaker = draw.choice([None, *live])
        if speaker is None:
            rows.append(f"main,{now}")
            continue
        rows.append(f'"{name}{speaker[0]}",{now + speaker[1]}')
        speaker[2] -= 1
        live = [one for one in live if one[2]]
    path.write_text("\n".join([*rows, f"main,{now + 9}", ""]))


def shared_csv(path, threads, clocks, names):
    """Threads on clocks that they share, all but the last, which has one of its own."""
    rows, offsets = ["clock,thread,time"], [1000 * c for c in range(clocks)]
    for i in range(3 * threads):
        thread, name = i % threads, names[i % len(names)]
        clock = thread % clocks
        quoted = '"' + f"{name}{thread}".replace('"', '""') + '"'
        rows.append(f"host{clock},{quoted},{10 * i + offsets[clock]}" + (f"\nmain,main,{10 * i + 5}" if i % 4 == 0 else ""))
    path.write_bytes("\n".join([*rows, ""]).encode("utf-8", "surrogateescape"))


def chromium():
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return next((found for found in map(shutil.which, names) if found), None)


def browse(browser, folder, page, *what):
    return subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                           "--hide-scrollbars", "--enable-logging=stderr", f"--user-data-dir={folder}/profile", *what,
                           page.as_uri()], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=True)


def first_pixel(png):
    """Of a PNG: whatever filter its first row has, it leaves the first pixel as it is."""
    data, at = b"", 8
    while at < len(png):
        length, = struct.unpack(">I", png[at:at + 4])
        if png[at + 4:at + 8] == b"IDAT":
            data += png[at + 8:at + 8 + length]
        at += 12 + length
    return tuple(zlib.decompress(data)[1:4])


def check_looks(browser, folder, page):
    for dark in (False, True):
        shot = folder / "shot.png"
        scheme = ["--blink-settings=preferredColorScheme=0"] if dark else ["--blink-settings=preferredColorScheme=1"]
        browse(browser, folder, page, *scheme, f"--screenshot={shot}", "--window-size=1000,3000")
        if first_pixel(shot.read_bytes()) != PAPER[dark]:
            yield f"{page.name}: paper {first_pixel(shot.read_bytes())}, want {PAPER[dark]}"


def document(browser, folder, page):
    """The page as it stands in its file, or as Chromium has understood it; and what that complained of."""
    if not browser:
        return page.read_text(encoding="utf-8"), []
    done = browse(browser, folder, page, "--dump-dom")
    said = [line for line in done.stderr.decode(errors="replace").splitlines() if "CONSOLE" in line]
    return done.stdout.decode(), said


def check_trace(cellsync, browser, folder, trace, *options):
    page = folder / (trace.name + ".html")
    run(cellsync, *options, "-r", page, trace)
    source, faults = document(browser, folder, page)
    checker = Checker(trace.name, source, Facts(cellsync, trace, *options))
    faults += checker.check()
    if len(page.read_bytes()) > BYTES_MAX:
        faults.append(f"{trace.name}: {len(page.read_bytes())} bytes")
    again = run(cellsync, *options, "--threads=1", "-r", "-", "--report-format=html", trace)
    if again != page.read_bytes():
        faults.append(f"{trace.name}: another page the second time")
    return checker.checks, faults


def check_size(cellsync, folder):
    """The longest page: as many threads as one likes, with names that are all markup."""
    trace = folder / "longest.csv"
    many_csv(trace, 6000, '""' * 40, 2)
    size = len(run(cellsync, "-r", "-", "--report-format=html", trace))
    return [] if size <= BYTES_MAX else [f"{trace.name}: {size} bytes"]


def main(cellsync, testdata, *more):
    browser = chromium() if "--browser" in more else None
    if "--browser" in more and not browser:
        print("skipped: there is no Chromium here")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        hostile_csv(folder / "hostile.csv")
        many_csv(folder / "many.csv", 540, "t", 1)
        shared_csv(folder / "shared.csv", 30, 3, HOSTILE)
        shared_csv(folder / "crowd.csv", 300, 2, ["t"])
        shared_csv(folder / "clocks.csv", 200, 47, ["t"])
        made = ["shared.csv", "crowd.csv", "clocks.csv", "hostile.csv", "many.csv"]
        traces = [testdata / sample for sample in SAMPLES] + [folder / name for name in made]
        if browser:
            traces = [traces[i] for i in (0, 1, 7, -5, -4, -3, -2, -1)]
        results = [check_trace(cellsync, browser, folder, trace) for trace in traces]
        results += [check_trace(cellsync, browser, folder, testdata / "samples/jitter.pex", *options)
                    for options in (["--relax=paper"], ["--delta=9/2", "--reference=spe1.1", "--alpha=1/3"])]
        faults = [fault for _, of_trace in results for fault in of_trace]
        faults += check_looks(browser, folder, folder / "demo.pex.html") if browser else check_size(cellsync, folder)
    print("\n".join(fault[:2000] for fault in faults))
    print(f"{sum(n for n, _ in results)} checks of {len(results)} pages, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2]), *sys.argv[3:]))
