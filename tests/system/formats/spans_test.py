"""Spans in OTLP, Jaeger, and Zipkin JSON: the truth is inside the bounds, and only times and two attributes change.

usage: spans_test.py CELLSYNC RECORDED [SEEDS [FIRST]]

RECORDED has spans that the Node SDK of OpenTelemetry recorded on shifted clocks (tests/tools/otel), and the shifts. The truth
of a mesh (mesh.py) is hidden from cellsync. The judges below share no code with it.
"""
import gzip
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


def shown(truth, ns):
    """What the clock of a recorded service shows at a true time, and the time at which it shows this: a pair."""
    ppm, zero, shift = Fraction(str(truth["ppm"])) / 10**6, Fraction(str(truth["zero_ms"])), Fraction(truth["shift_ms"])
    return (ns + shift * 10**6 + (ns - zero * 10**6) * ppm, (ns - shift * 10**6 + zero * 10**6 * ppm) / (1 + ppm))


def recorded_spans(text):
    for document in spans_files.documents(text):
        for resource in document["resourceSpans"]:
            host = next(a["value"]["stringValue"] for a in resource["resource"]["attributes"] if a["key"] == "host.name")
            for scope in resource["scopeSpans"]:
                yield from ((host, span) for span in scope["spans"])


def try_recording(cellsync, name, truths, folder):
    """The recorded spans, and the same ones without one constraint, and with one reversed."""
    text = gzip.decompress(name.read_bytes()).decode()
    out, report = folder / "out.jsonl", folder / "r.json"
    code, _, error = run(cellsync, name, "-o", out, "-r", report)
    expect(code == 0, name, "exit", code, error)
    for a, b in zip(spans_files.documents(text), spans_files.documents(out.read_text())):
        what = spans_files.differences(a, b)
        expect(not what, name, what)
    facts, by_host = json.loads(report.read_text()), {f"host-{t['service']}": t for t in truths}
    count = outside = 0
    widest = 0
    for host, span in recorded_spans(out.read_text()):
        added = {a["key"]: int(a["value"]["intValue"]) for a in span["attributes"] if a["key"].startswith("cellsync.")}
        begin = int(span["startTimeUnixNano"])
        _, true = shown(by_host[host], begin - added["cellsync.shift_ns"])
        want, _ = shown(by_host[facts["reference"]], true)
        outside += abs(begin - want) > added["cellsync.error_ns"]
        widest = max(widest, added["cellsync.error_ns"])
        count += 1
    expect(count > 500 and outside == 0, name, outside, "of", count, "outside")
    expect(widest < 20_000_000, name, "an error of", widest, "ns")

    # Controls: without kinds, no end follows a begin on another clock; with parents reversed, all is contradictory.
    control = folder / "control.jsonl"
    control.write_text(text.replace('"kind":3', '"kind":1'))
    run(cellsync, control, "-o", out)
    expect("cellsync.error_ns" in out.read_text() and out.read_text().count("cellsync.error_ns") < count,
           name, "a clock that nothing bounds has an error")
    # A server cannot begin before its client: with all clients as children, some do.
    parents = {span["spanId"]: span.get("parentSpanId") for _, span in recorded_spans(text)}
    reversed_ = []
    for document in spans_files.documents(text):
        for resource in document["resourceSpans"]:
            for scope in resource["scopeSpans"]:
                for span in scope["spans"]:
                    span["startTimeUnixNano"], span["endTimeUnixNano"] = span["endTimeUnixNano"], span["startTimeUnixNano"]
                    span["startTimeUnixNano"] = str(3 * 10**18 - int(span["startTimeUnixNano"]))
                    span["endTimeUnixNano"] = str(3 * 10**18 - int(span["endTimeUnixNano"]))
        reversed_.append(json.dumps(document))
    control.write_text("\n".join(reversed_))
    run(cellsync, control, "-r", report)
    expect(len(parents) == count and json.loads(report.read_text())["witness"], name, "time that runs back is no contradiction")


def main():
    cellsync, recorded = sys.argv[1], Path(sys.argv[2])
    seeds = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    first, bounded = int(sys.argv[4]) if len(sys.argv) > 4 else 0, 0
    truths = json.loads((recorded / "truth.json").read_text())
    with tempfile.TemporaryDirectory() as name:
        for step in ("fine", "ms"):
            try_recording(cellsync, recorded / f"{step}.jsonl.gz", truths[step], Path(name))
        for seed in range(first, first + seeds):
            bounded += try_mesh(cellsync, seed, Path(name))
    expect(bounded > seeds * 100, "hardly any span has an error:", bounded)
    print(f"{seeds} meshes, {bounded} spans with an error")
    sys.exit(bool(FAILURES))


if __name__ == "__main__":
    main()
