"""Spans in OTLP, Jaeger, and Zipkin JSON: the truth is inside the bounds, and only times and two attributes change.

usage: spans_test.py CELLSYNC [SEEDS [FIRST]]

The truth of a mesh (mesh.py) is hidden from cellsync, and the judge below shares no code with it.
"""
import json
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import spans_files
from mesh import BASE, Mesh

MAKE = {"otlp": spans_files.otlp, "jaeger": spans_files.jaeger, "zipkin": spans_files.zipkin}
FAILURES = []


def expect(condition, *what):
    if not condition:
        FAILURES.append(" ".join(map(str, what)))
        print("FAILED:", *what)


def run(cellsync, *arguments):
    done = subprocess.run([cellsync, "-q", *map(str, arguments)], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def judge(mesh, found, reference, form):
    """How many spans have their true begin and end outside the printed error, how many have an error, the largest."""
    unit = 1 if form == "otlp" else 1000
    coarse = {mesh.host_of[s["service"]] for s in mesh.spans if mesh.coarse[s["service"]]}
    # A clock that is read in whole steps is at any place in its step.
    slack = {h: 10**6 if h in coarse else unit for h in mesh.hosts}
    outside = bounded = 0
    by_id = {}
    for s in mesh.spans:
        by_id.setdefault((s["trace"], s["id"]), s)
    for key, copies in found.items():
        s = by_id[key]
        for begin, end, shift, error in copies:
            expect(abs(begin - shift - s["start"]) <= 2 * unit, form, "the shift is not what was added", key)
            if error is None:
                continue
            bounded += 1
            for shown, true in ((begin, s["true"]), (end, s["true_end"])):
                want = mesh.local(reference, true) - Fraction(slack[reference], 2)
                if unit == 1 and reference not in coarse:
                    want = mesh.local(reference, true)
                outside += abs(shown - want) > error + (slack[reference] + 1) // 2 * (form != "otlp")
    return outside, bounded


def try_mesh(cellsync, seed, folder):
    mesh = Mesh(seed)
    crossing = 0
    for form, make in MAKE.items():
        name, out, report = folder / f"{form}.json", folder / f"{form}.out.json", folder / "r.json"
        text = make(mesh)
        name.write_text(text)
        code, _, error = run(cellsync, name, "-o", out, "-r", report)
        if code != 0:
            expect(False, seed, form, "exit", code, error)
            continue
        new, facts = out.read_text(), json.loads(report.read_text())
        for a, b in zip(spans_files.documents(text), spans_files.documents(new)):
            what = spans_files.differences(a, b)
            expect(not what, seed, form, what)
        found = spans_files.corrected(form, new)
        expect(sum(map(len, found.values())) == len(mesh.spans), seed, form, "spans are missing")
        outside, bounded = judge(mesh, found, facts["reference"]["name"] if isinstance(facts["reference"], dict) else
                                 facts["reference"], form)
        expect(outside == 0, seed, form, outside, "times outside of", bounded)
        crossing += bounded
    return crossing


def main():
    cellsync, seeds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 40
    first, bounded = int(sys.argv[3]) if len(sys.argv) > 3 else 0, 0
    with tempfile.TemporaryDirectory() as name:
        for seed in range(first, first + seeds):
            bounded += try_mesh(cellsync, seed, Path(name))
    expect(bounded > seeds * 100, "hardly any span has an error:", bounded)
    print(f"{seeds} meshes, {bounded} spans with an error")
    sys.exit(bool(FAILURES))


if __name__ == "__main__":
    main()
