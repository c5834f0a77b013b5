#!/usr/bin/env python3
"""The programs of doc/examples: they run, print what is expected, and libcellsync(3) shows what they do.

Usage: examples_test.py SOURCE_FOLDER PROGRAM...   each PROGRAM is a built doc/examples/NAME.c, called example_NAME
"""
import pathlib
import re
import subprocess
import sys
import tempfile

LINES = range(20, 81)

PLAIN = """ppe 0 -0 +0
spe2.1 1889459091407 -3 +3
spe3.1 1889459091415 -3 +4
spe1.1 1889459091517 -4 +5
spe4.1 1889459091553 -3 +3
"""

KINDS = """0x0100 SPE_SWITCH_IN: 12 events, 0 intervals of 0 ticks, last context 5
0x0200 SPE_SWITCH_OUT: 12 events, 0 intervals of 0 ticks, last context 5
0x0300 TRACE_START: 1 events, 0 intervals of 0 ticks
0x0400 TRACE_STOP: 1 events, 0 intervals of 0 ticks
0x0503 MUTEX_LOCK: 360 events, 360 intervals of 74804 ticks, last lock 1
0x0703 MUTEX_UNLOCK: 442 events, 0 intervals of 0 ticks, last lock 1
"""

# name -> arguments, what is printed; {} is a folder to write to, SAMPLES the samples.
RUNS = {
    # what made has written
    "reread": [(["{}/ball.csv"], "left 0 (reference)\nright -5000\n"
                                 "0 left throw\n10 right catch\n20 left throw\n30 right catch\n")],
    "offsets": [(["SAMPLES/plain.pex"], PLAIN)],
    "busiest": [(["SAMPLES/../demo.pex"], "466 events from record 263, MUTEX_UNLOCK of spe1.1 at 61000008496\n")],
    "convert": [(["SAMPLES/jitter.pex", "{}/c.json", "{}/c.html"],
                 "the timestamps contradict the order of events by up to 489 ns: bounds hold only if no timestamp is off by more than 244 ns\n505 records of 17 threads, the largest error bound is 59 ticks\n"),
                (["SAMPLES/paper.csv", "{}/p.json", "{}/p.html"],
                 "bounds hold if all clocks run at the same rate and tick at the same instants, and every timestamp is exact to the tick; if not, pass --drift, --delta=1/2 or more, or both\n"
                 "7 records of 3 threads, the largest error bound is 4 ticks\n")],
    "fields": [(["SAMPLES/../demo.pex"], KINDS)],
    "made": [(["{}/ball.csv"], "left 0 (0 to 0)\nright -5000 (-5010 to -4990)\n")],
}


def run(program, arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout, done.stderr


def displays(page):
    """What the page shows, as it looks when printed."""
    shown = re.findall(r"^\.Bd -literal.*?\n(.*?)^\.Ed", page, re.MULTILINE | re.DOTALL)
    return [text.replace("\\-", "-").replace("\\e", "\\").replace("\\&", "") for text in shown]


def quoted_faults(page, sources):
    """Every display that begins as C does is a piece of a program; each program has one."""
    pieces = [d for d in displays(page) if d.startswith(("/*", "#include", "static "))]
    for piece in pieces:
        if not any(piece.strip("\n") in text for text in sources.values()):
            yield f"libcellsync(3) shows what is in no example:\n{piece}"
    for name, text in sources.items():
        if not any(piece.strip("\n") in text for piece in pieces):
            yield f"libcellsync(3) shows nothing of {name}.c"
        if f"doc/examples/{name}.c" not in page:
            yield f"libcellsync(3) does not name doc/examples/{name}.c"


def main(top, programs):
    top = pathlib.Path(top)
    sources = {path.stem: path.read_text() for path in sorted((top / "doc/examples").glob("*.c"))}
    built = {pathlib.Path(p).name.removeprefix("example_"): p for p in programs}
    faults = list(quoted_faults((top / "man/libcellsync.3").read_text(), sources))
    faults += [f"{name}.c has {n} lines" for name, text in sources.items()
               if (n := len(text.splitlines())) not in LINES]
    if not set(sources) == set(built) == set(RUNS):
        faults.append(f"sources {sorted(sources)}, programs {sorted(built)}, runs {sorted(RUNS)}")
    with tempfile.TemporaryDirectory() as folder:
        for name, program in built.items():
            for arguments, expected in RUNS.get(name, []):
                given = [a.replace("{}", folder).replace("SAMPLES", str(top / "testdata/samples")) for a in arguments]
                found = run(program, given)
                if found != (0, expected, ""):
                    faults.append(f"{name} {' '.join(given)}: want {expected!r}, found {found}")
    print("\n".join(faults))
    print(f"{len(built)} examples, {len(faults)} faults")
    return 1 if faults or not built else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
