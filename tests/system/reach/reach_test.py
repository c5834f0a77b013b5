#!/usr/bin/env python3
"""doc/reach.md: two usual ways to correct clocks, on recorded spans and profiles whose truth is known, beside cellsync.

Usage: reach_test.py CELLSYNC TOP          fails if the figures or the pictures of doc/reach.md are others, or the truth is not in a bound
       reach_test.py CELLSYNC TOP --write  writes them

Spans: each request is adjusted by itself, as Jaeger's query service does it.  Profiles: the ends of a collective
operation are taken for one moment.
"""
import gzip
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile
from fractions import Fraction

MARK = "<!-- figures -->"


def run(cellsync, *arguments):
    return subprocess.run([cellsync, "-q", *map(str, arguments)], check=True, capture_output=True, text=True).stdout


# Spans.

def spans(path):
    """Spans by id, with the host that recorded each."""
    found = {}
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt") as lines:
        for line in lines:
            for resource in json.loads(line)["resourceSpans"]:
                host = next(a["value"]["stringValue"] for a in resource["resource"]["attributes"] if a["key"] == "host.name")
                for scope in resource["scopeSpans"]:
                    for span in scope["spans"]:
                        more = {a["key"]: a["value"].get("intValue") for a in span["attributes"]}
                        found[span["spanId"]] = {"host": host.removeprefix("host-"), "parent": span.get("parentSpanId"),
                                                 "begin": int(span["startTimeUnixNano"]), "end": int(span["endTimeUnixNano"]), **more}
    return found


def adjusted(found):
    """The shift of each span, as Jaeger's adjuster finds it: a span whose host is not its parent's is moved into its parent,
    to the middle, unless it is inside already; if it is longer, only to begin no earlier.  Others move with their parent."""
    children, shifts = {}, {}
    for key, span in found.items():
        children.setdefault(span["parent"] if span["parent"] in found else None, []).append(key)
    left = [(key, None, 0) for key in children[None]]
    while left:
        key, parent, shift = left.pop()
        span = found[key]
        if parent is None:
            shift = 0
        elif span["host"] != found[parent]["host"]:
            begin, end = (found[parent][moment] + shifts[parent] for moment in ("begin", "end"))
            spare = (end - begin) - (span["end"] - span["begin"])
            if spare < 0:
                shift = max(begin - span["begin"], 0)
            elif span["begin"] >= begin and span["end"] <= end:
                shift = 0
            else:
                shift = begin + spare // 2 - span["begin"]
        shifts[key] = shift
        left += [(child, key, shift) for child in children.get(key, [])]
    return shifts


def true_begin(span, truth):
    """On the clock of the client, which was not moved: local = true + shift + (true - zero) ppm."""
    ms, ppm = 10**6, Fraction(str(truth["ppm"])) / 10**6
    return (span["begin"] - Fraction(str(truth["shift_ms"])) * ms + Fraction(str(truth["zero_ms"])) * ms * ppm) / (1 + ppm)


def compare_spans(cellsync, testdata, folder):
    """Rows of (true begin, host, {way: error in ns}, bound of ours in ns)."""
    path = testdata / "otel/fine.jsonl.gz"
    truth = {service["service"]: service for service in json.loads((testdata / "otel/truth.json").read_text())["fine"]}
    raw = spans(path)
    shifts = adjusted(raw)
    ways = {"Jaeger's adjuster": {key: span["begin"] + shifts[key] for key, span in raw.items()}}
    for name, option in ("`--method=ntp`", "--method=ntp"), ("cellsync", "--reference=host-client"):
        run(cellsync, path, option, "-o", folder / "out.jsonl")
        synced = spans(folder / "out.jsonl")
        assert synced.keys() == raw.keys()
        # A method without bounds has a reference of its own: the client's times are moved back to its clock.
        origin = next(raw[key]["begin"] - synced[key]["begin"] for key in raw if raw[key]["host"] == "client")
        ways[name] = {key: span["begin"] + origin for key, span in synced.items()}
    rows = []
    for key, span in raw.items():
        true = true_begin(span, truth[span["host"]])
        rows.append((true, span["host"], {name: float(begins[key] - true) for name, begins in ways.items()},
                     int(synced[key].get("cellsync.error_ns") or 0)))
    return sorted(rows)


# Profiles.

def profiles(testdata, folder):
    """By rank: its profile, with the rank for the process, and the ends of its operations, in nanoseconds."""
    found = []
    for path in sorted((testdata / "torch").glob("rank*.json.gz")):
        events = [{**event, "pid": len(found)} for event in json.loads(gzip.open(path).read())]
        copy = folder / f"rank{len(found)}.json"
        copy.write_text(json.dumps(events))
        found.append((copy, [(e["ts"] + e["dur"]) * 1000 for e in events if e["name"] == "gloo:all_reduce"]))
    return found


def compare_profiles(cellsync, testdata, folder):
    """For the second rank: errors of aligning single ends, and by way the (error, bound) of its clock, all in ns."""
    (first, ends), (second, others) = profiles(testdata, folder)
    # What adds to the times of each gives the kernel's clock; it is known to some microseconds.
    kernel = [Fraction(rank["least_ns"] + rank["greatest_ns"], 2)
              for rank in json.loads((testdata / "torch/truth.json").read_text())["ranks"]]
    true = kernel[1] - kernel[0]
    singles = [float(one - other - true) for one, other in zip(ends, others)]
    errors = {"median of the ends": (statistics.median(singles), None)}
    for name, option in ("`--method=ends`", "--method=ends"), ("cellsync `--drift=0`", "--drift=0"):
        threads = json.loads(run(cellsync, first, second, option, "-r", "-", "--report-format=json"))["threads"]
        assert [thread["name"] for thread in threads] == ["pid0", "pid1"]
        offset = threads[1]["offset_ticks"] - threads[0]["offset_ticks"]
        least, greatest = threads[1]["earliest_event_ticks"], threads[1]["latest_event_ticks"]
        errors[name] = (float(offset - true), None if least is None else (greatest - least) / 2)
    return singles, errors


# The page.

def number(ns, unit):
    """Two digits at least, three at most."""
    value = abs(ns) / unit
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def tables(rows, ranks):
    """The figures as Markdown."""
    lines = ["| begins of spans | " + " | ".join(f"{host}: mean | greatest" for host in ("cart", "price")) + " |", "|---|" + "---:|" * 4]
    for name in rows[0][2]:
        cells = []
        for host in ("cart", "price"):
            errors = [abs(row[2][name]) for row in rows if row[1] == host]
            cells += [number(statistics.fmean(errors), 1e6), number(max(errors), 1e6)]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    bounds = [[number(value, 1e6) for value in (statistics.fmean(b), max(b))] for b in (
        [row[3] for row in rows if row[1] == host] for host in ("cart", "price"))]
    lines += ["| cellsync's own bound | " + " | ".join(sum(bounds, [])) + " |", "",
              "Errors in milliseconds, over " + " and ".join(
                  f"{sum(row[1] == host for row in rows)} spans of {host}" for host in ("cart", "price")) + ".", "",
              "| clock of the second rank | error |", "|---|---:|"]
    singles, errors = ranks
    lines.append(f"| end of one operation | {number(min(map(abs, singles)), 1e3)} to {number(max(map(abs, singles)), 1e3)} |")
    lines += [f"| {name} | {number(error, 1e3)} |" for name, (error, _) in errors.items()]
    lines += [f"| cellsync's own bound | {number(errors['cellsync `--drift=0`'][1], 1e3)} |", "",
              f"Errors in microseconds, over {len(singles)} operations."]
    return "\n".join(lines)


WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 720, 330, 62, 34, 16, 44


def picture(title, axis, unit, points, lines, legend):
    """A scatter plot of |errors| on a logarithmic axis.  points: (x from 0 to 1, value, class); lines: (value, class)."""
    values = [value / unit for _, value, _ in points] + [value / unit for value, _ in lines]
    least = math.floor(math.log10(max(min(values), 10**-2)))
    most = math.ceil(math.log10(max(values)))

    def x(part):
        return LEFT + part * (WIDTH - LEFT - RIGHT)

    def y(value):
        part = (math.log10(max(value / unit, 10**least)) - least) / (most - least)
        return HEIGHT - BOTTOM - part * (HEIGHT - TOP - BOTTOM)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img">',
           f"<title>{title}</title>",
           "<style>text{font:12px sans-serif;fill:#333}.grid{stroke:#ddd}.theirs{fill:#d55e00}.ours{fill:#0072b2}.bound{fill:#999}"
           "line.ours{stroke:#0072b2;stroke-width:2}line.theirs{stroke:#d55e00;stroke-width:2}"
           "line.bound{stroke:#999;stroke-width:2;stroke-dasharray:5 3}</style>",
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>']
    for power in range(least, most + 1):
        at = y(10**power * unit)
        out += [f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}"/>',
                f'<text x="{LEFT - 6}" y="{at + 4:.1f}" text-anchor="end">{10**power:g}</text>']
    out += [f'<circle class="{kind}" cx="{x(part):.1f}" cy="{y(value):.1f}" r="2"/>' for part, value, kind in points]
    out += [f'<line class="{kind}" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y(value):.1f}" y2="{y(value):.1f}"/>' for value, kind in lines]
    at = LEFT
    for kind, text in legend:
        out += [f'<circle class="{kind}" cx="{at + 4}" cy="{TOP - 18}" r="4"/>', f'<text x="{at + 12}" y="{TOP - 14}">{text}</text>']
        at += 24 + 6.4 * len(text)
    return "\n".join(out + [f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 10}" text-anchor="middle">{axis}</text>', "</svg>", ""])


def pictures(rows, ranks):
    first, last = rows[0][0], rows[-1][0]
    moved = [row for row in rows if row[1] != "client"]
    points = []
    for true, _, errors, bound in moved:
        part = float((true - first) / (last - first))
        points += [(part, bound, "bound"), (part, abs(errors["Jaeger's adjuster"]), "theirs"), (part, abs(errors["cellsync"]), "ours")]
    yield "reach-spans.svg", picture(
        "Errors of the begins of spans", f"time of the span, over {float(last - first) / 1e9:.1f} s; error in ms", 1e6, points, [],
        [("theirs", "Jaeger's adjuster"), ("ours", "cellsync"), ("bound", "the bound that cellsync states")])
    singles, errors = ranks
    n, ours = len(singles), errors["cellsync `--drift=0`"]
    yield "reach-collectives.svg", picture(
        "Errors of the clock of the second rank", f"operation, 1 to {n}; error of the clock of the second rank in us", 1e3,
        [(i / (n - 1), abs(single), "theirs") for i, single in enumerate(singles)],
        [(abs(errors[name][0]), "theirs") for name in errors if name[:8] != "cellsync"] + [(abs(ours[0]), "ours"), (ours[1], "bound")],
        [("theirs", "ends aligned: of each operation; of all, by their mean or median"), ("ours", "cellsync"), ("bound", "its bound")])


def main(cellsync, top, write):
    with tempfile.TemporaryDirectory() as folder:
        rows = compare_spans(cellsync, top / "testdata", pathlib.Path(folder))
        ranks = compare_profiles(cellsync, top / "testdata", pathlib.Path(folder))
    outside = sum(abs(errors["cellsync"]) > bound for _, host, errors, bound in rows if host != "client")
    error, bound = ranks[1]["cellsync `--drift=0`"]
    outside += abs(error) > bound
    page = top / "doc/reach.md"
    before, _, after = page.read_text().split(MARK)
    files = {page: f"{before}{MARK}\n{tables(rows, ranks)}\n{MARK}{after}"}
    files.update((top / "doc/pictures" / name, text) for name, text in pictures(rows, ranks))
    if write:
        for path, text in files.items():
            path.write_text(text)
    wrong = [path.name for path, text in files.items() if not path.exists() or path.read_text() != text]
    for name in wrong:
        print(f"FAIL: {name} is not what it was: ./dev pictures writes it anew")
    print(f"{len(rows)} spans and a clock, the truth outside {outside} of their bounds")
    return bool(wrong or outside)


if __name__ == "__main__":
    sys.exit(main(str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve(), "--write" in sys.argv[3:]))
