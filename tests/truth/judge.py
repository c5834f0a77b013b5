"""Run cellsync as a user would, and hold what it prints against the truth.

The promises of cellsync are in cellsync-model(7) (Guarantees, Clocks that drift, Timestamp imprecision) and cellsync-json(5):

1. Clocks at one rate.  For each pair of clocks, the report limits the offset of the first minus the offset of the second.  This difference
   is the reading of the second clock minus the reading of the first at the same moment.  An offset is one constant for the whole trace,
   so the claim is about every moment: at each record of either clock, the true difference of the two readings must be within
   `lower_ticks` and `upper_ticks`.  The judge reads ideal clocks with fractions of a tick, but the limits are whole ticks, so half a tick
   beyond them is no violation.
2. Events at one rate.  The distance of an event of one thread from an event of another is the difference of their timestamps, plus the range
   of 1, plus or minus 2*delta rounded up (`added_ticks`).  Time is measured by the first thread's own clock; at one rate, any clock gives
   the same time.  The claim also holds for two threads of one clock; then the range of 1 is 0.  A timestamp is a whole number of ticks, so
   one more tick is no violation.
3. Clocks that drift.  At each knot (--clocks) and at the first and last record of each clock (JSON), global time is within `earliest` and
   `latest` when the clock shows `local`, and within `earliest_event` and `latest_event` for each event with that timestamp.  Global time
   is the reading of the reference plus one constant.  If all timestamps are rounded down, all of them may move equally, by up to delta.
   If an output has columns global_earliest and global_latest, each record must be within them.
4. Events under drift.  The time between any two events of bounded clocks, by the global times in the output, is off by at most
   `max_event_error_ticks`, in time of the reference.  One tick is allowed for rounding.

A side without a limit claims nothing, and neither does a clock without constraints.

A false claim is marked by a warning if standard error, `warnings`, or the diagnosis that a warning points to names a cause of the kind
(CAUSES).  The warning that delta was estimated is about timestamps: it counts only if the error of the true timestamps is larger than that
delta.  A clock that drifts or was set is not a timestamp error.  A false claim is covered by a premise if the report states a premise that is
false in the truth (PREMISES).  Two places count: the premise at the begin of the report, and the list `conditions`, which the text report
prints below its error table.  All other false claims are "neither".
"""
import collections
import csv
import dataclasses
import fractions
import json
import re
import subprocess

# What names the cause of a kind.  A warning about something else, such as --drift for a clock that was set, does not count.
CAUSES = {
    "rate": r"--drift|\bdrift\b|crystal|equal rates|slew",
    "stamps": r"steps of|floating-point|stamps may be imprecise|timestamp error",
    "units": r"steps of|another unit|different units",
    "set": r"was set|were set|time goes back|--steps|set (back|forward)",
    "reset": r"was set|time goes back|--steps|reset|restart",
    "wrap": r"was set|time goes back|--steps|--counter-bits|wrapped",
    "converted": r"converted|GPU|accelerator",
    "core": r"another core|contradicts all|was set|time goes back",
    "ends": r"(is|are) left out|missing",
    "twice": r"(is|are) left out|twice|more receives",
    "swap": r"wrong (message|send)|mismatch|which messages",
    "sorted": r"sorted|order of writing|no one order",
    "mixed": r"no one order|another run|(is|are) left out|was set|time goes back",
}


def time_of(text):
    """'1.5 us' in nanoseconds."""
    size, unit = re.fullmatch(r"([0-9.]+) (ns|us|ms|s)", text).groups()
    return float(size) * {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[unit]


# A sentence that is printed, and whether it is false in the truth.
PREMISES = (
    (r"run at one rate|run at the same rate|equal rates", lambda truth, delta, found: truth.rates_differ),
    (r"no clock runs more than ([0-9.]+) ppm|within ([0-9.]+) ppm of each other",
     lambda truth, delta, found: truth.ppm > float(found[1] or found[2])),
    (r"exact to the tick", lambda truth, delta, found: truth.spread > 1.001),
    (r"good to|correct to within|is off by more than|rounded to|wrong by more", lambda truth, delta, found: truth.spread / 2 > delta + 0.5),
    (r"tick at the same instants", lambda truth, delta, found: "units" in truth.facts),
    (r"the receive of every message of a channel were recorded|every send of a channel was recorded",
     lambda truth, delta, found: truth.facts & {"ends"}),
    (r"same key belong to one message", lambda truth, delta, found: truth.facts & {"swap", "mixed"}),
    (r"order of writing|sorted", lambda truth, delta, found: "sorted" in truth.facts),
    (r"set only at|were not set|no clock was set", lambda truth, delta, found: truth.facts & {"set", "reset", "wrap"}),
)


@dataclasses.dataclass
class Verdict:
    """What came of one run."""
    status: str  # inside, warned, premise, neither, refused, broken
    excess: float = 0.0  # by how much the worst claim is false, in ns
    bound: float = None  # the greatest error that the report prints, in ns
    warned: bool = False  # whether anything was warned of
    claims: bool = False  # whether anything was bounded
    how: str = ""  # for people: the claim that is false, or the message
    only_events: bool = False  # whether the ranges of clocks are true
    larger_delta: bool = False  # whether the given delta was refused, and a larger one was found


class Truth:
    """The true readings of all clocks at all records."""

    def __init__(self, trace):
        self.trace, self.facts, rows = trace, trace.facts, trace.rows
        self.hz = trace.form.hz
        self.clocks = trace.clocks
        self.at = {name: [clock.relative(row.tau) for row in rows] for name, clock in trace.clocks.items()}
        self.own = {name: [i for i, row in enumerate(rows) if row.host == name] for name in trace.clocks}
        self.threads = {}
        for i, row in enumerate(rows):
            self.threads.setdefault((row.host, row.thread), []).append(i)
        errors = [row.stamp - self.clocks[row.host].base - self.at[row.host][i] for i, row in enumerate(rows)]
        self.spread = max(errors) - min(errors)
        self.first, self.last = min(row.tau for row in rows), max(row.tau for row in rows)
        self.rates_differ, self.ppm = self.rates()

    def rates(self):
        """Whether the rates of two clocks come to more than a tick; and how far they are apart at most."""
        instants = sorted({self.first, self.last} | {start for clock in self.clocks.values() for start in clock.starts
                                                     if self.first < start < self.last})
        courses = [[clock.steady(tau) for tau in instants] for clock in self.clocks.values()]
        differ, ppm = False, 0.0
        for i, a in enumerate(courses):
            for b in courses[:i]:
                apart = [x - y for x, y in zip(a, b)]
                differ = differ or max(apart) - min(apart) > 1.001
                ppm = max([ppm, *(abs(y - x) / max(q - p, 1) / self.hz * 1e15 for x, y, p, q in
                                  zip(apart, apart[1:], instants, instants[1:]))])
        return differ, ppm

    def reading(self, name, i, less):
        """What a clock shows at record i, minus an integer."""
        return self.clocks[name].base - less + self.at[name][i]


def beyond(least, value, greatest):
    """By how much a value is outside a range of which either end may be missing."""
    return max(0.0 if least is None else least - value, 0.0 if greatest is None else value - greatest, 0.0)


def one_rate(report, truth):
    """Claims 1 and 2: by how many ticks each is false, and which."""
    added = -(-fractions.Fraction(report["delta"]["ticks"]) * 2 // 1)
    stamps = [row.stamp for row in truth.trace.rows]
    ranges = {(pair["s"], pair["t"]): (pair["lower_ticks"], pair["upper_ticks"]) for pair in report["pairs"]}
    for (s, t), (lower, upper) in ranges.items():
        less = lower if lower is not None else upper
        if less is None:
            continue
        ends = [None if end is None else end - less for end in (lower, upper)]
        for i in truth.own[s] + truth.own[t]:
            ahead = truth.clocks[t].base - truth.clocks[s].base - less + (truth.at[t][i] - truth.at[s][i])
            yield beyond(ends[0], ahead, ends[1]) - 0.5, f"clocks {s} and {t} at record {i}", False
    for (s, a), mine in truth.threads.items():
        for (t, b), others in truth.threads.items():
            if a == b or (s != t and (s, t) not in ranges) or (s == t and a > b):
                continue
            lower, upper = ranges.get((s, t), (0, 0))
            p = [truth.reading(s, i, stamps[i]) for i in mine]
            q = [truth.reading(s, i, stamps[i]) for i in others]
            wrong = max(0.0 if upper is None else max(p) - min(q) - upper - added,
                        0.0 if lower is None else lower - added - min(p) + max(q))
            yield wrong - 1.0, f"events of {a} and {b}", True


def segments(report, truth):
    """By record, the clock that it is on: a clock that was cut has a segment before and after each step, and each record between
    is on one by itself."""
    names, rows = [], truth.trace.rows
    threads = collections.defaultdict(set)
    for row in rows:
        threads[row.host].add(row.thread)

    def place(i):
        """What tells the segment of a record: its time if its clock has several threads, otherwise its position."""
        return rows[i].stamp if len(threads[rows[i].host]) > 1 else i

    for i, row in enumerate(rows):
        n, name = 1, None
        for step in report.get("steps") or []:
            if step["clock"] == row.host and place(step["record_before"]) < place(i) < place(step["record_after"]):
                name = f"{row.host}@{i}"
            n += step["clock"] == row.host and place(i) >= place(step["record_after"])
        names.append(name or (row.host if n == 1 else f"{row.host}/{n}"))
    return names


def drifting(report, truth, knots, output):
    """Claims 3 and 4."""
    clock_of = segments(report, truth)
    own = {}
    for i, name in enumerate(clock_of):
        own.setdefault(name, []).append(i)
    reference, rows = report["reference"], truth.trace.rows
    delta = float(fractions.Fraction(report["delta"]["ticks"]))
    bounded = {clock["name"] for clock in report["drift"]["clocks"] if clock["bounded"]}
    ours = next(knot for knot in knots if knot["thread"] == reference)
    host = rows[own[reference][0]].host
    ref, since = truth.clocks[host], rows[own[reference][0]].tau
    cut = any(step["clock"] == host for step in report.get("steps") or [])
    jumped = ref.relative(since) - ref.steady(since)

    def reads(tau):
        """What the reference shows, minus an integer; a segment goes on as before at a step."""
        return ref.steady(tau) + jumped if cut else ref.relative(tau)

    # Global time minus the part of the reference's reading that `reads` returns.
    less = int(fractions.Fraction(ours["global"]) - int(ours["local"])) + ref.base
    by_stamp = {}
    for i, row in enumerate(rows):
        by_stamp.setdefault((clock_of[i], row.stamp), []).append(i)
    claims = [(knot["thread"], int(knot["local"]), knot["earliest"], knot["latest"], knot["earliest_event"],
               knot["latest_event"]) for knot in knots]
    for clock in report["drift"]["clocks"]:
        for end in (clock["first"], clock["last"]) if clock["bounded"] else ():
            local = end["local_ticks"]
            claims.append((clock["name"], local, local + end["earliest_ticks"], local + end["latest_ticks"], None, None))
    events, shift = [], [-delta - 1.0, delta + 1.0, "", ""]  # what may be added to every event
    slack = 1.0 + delta * report["drift"]["rate_ppb"] / 1e9
    for name, local, earliest, latest, early, late in claims:
        if name not in bounded:
            continue
        ends = [float(fractions.Fraction(end) - less) for end in (earliest, latest)]
        mine = own[name]
        for tau in truth.clocks[rows[mine[0]].host].when(local, rows[mine[0]].tau, max(rows[i].tau for i in mine)):
            yield (beyond(ends[0], reads(tau), ends[1]) - slack,
                   f"clock {name} when it shows {local}", False)
        for i in by_stamp.get((name, local), ()) if early else ():
            events.append((i, early, late))
    if output and "global_earliest" in output[0]:
        events += [(i, row["global_earliest"], row["global_latest"]) for i, row in enumerate(output) if row["global_earliest"] and
                   row["global_latest"]]
    for i, early, late in events:
        least, greatest = (float(fractions.Fraction(end) - less) - reads(rows[i].tau) for end in (early, late))
        if least > shift[0]:
            shift[0], shift[2] = least, i
        if greatest < shift[1]:
            shift[1], shift[3] = greatest, i
    yield shift[0] - shift[1] - 2.0, f"events of records {shift[2]} and {shift[3]}", True
    errors = [(int(row["global_time"]) - less - reads(rows[i].tau), i) for i, row in enumerate(output) if
              clock_of[i] in bounded]
    most = report["drift"]["max_event_error_ticks"]
    if errors and most is not None:
        (low, i), (high, j) = min(errors), max(errors)
        yield high - low - float(most) - 1.0, f"time between records {i} and {j}", True


def table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def malformed(report, truth, output):
    """What is wrong with the outputs themselves."""
    rows = truth.trace.rows
    if report["timebase_hz"] != truth.hz or report["records"] != len(rows) or len(output) != len(rows):
        return "the report or the output is not about all rows"
    if not report.get("drift"):
        offsets = {thread["name"]: thread["offset_ticks"] for thread in report["threads"]}
        if any(int(row["global_time"]) != rows[i].stamp + offsets[rows[i].host] for i, row in enumerate(output)):
            return "a global time is not the timestamp and the offset of its clock"
    return None


def run(cellsync, trace_file, options=(), timeout=120):
    """cellsync with these options; its exit status or None if it hangs, and what it said."""
    folder = trace_file.parent
    files = [folder / name for name in ("synced.csv", "report.json", "clocks.csv")]
    for path in files:
        path.unlink(missing_ok=True)
    try:
        done = subprocess.run([cellsync, trace_file, "-o", files[0], "-r", files[1], f"--clocks={files[2]}", *options],
                              capture_output=True, text=True, timeout=timeout)
    except subprocess.TimeoutExpired:
        return None, "it hangs", files
    # The line with the premises is no warning, though it names options.
    said = "".join(line for line in done.stderr.splitlines(True) if ": assuming that " not in line)
    return done.returncode, said, files


def judge(cellsync, truth, trace_file, options=()):
    """The verdict on one run."""
    code, said, files = run(cellsync, trace_file, options)
    if code in (1, 3) and said.strip():
        return Verdict("refused", how=said.strip().splitlines()[-1], warned="warning:" in said)
    if code != 0:
        return Verdict("broken", how=f"exit status {code}: {said}")
    try:
        report = json.loads(files[1].read_text(), parse_float=fractions.Fraction)  # doubles lose digits of dates
        output, knots = table(files[0]), table(files[2])
        bad = malformed(report, truth, output)
        claims = list(drifting(report, truth, knots, output) if report.get("drift") else one_rate(report, truth))
    except (ValueError, KeyError, TypeError, StopIteration, IndexError) as problem:
        return Verdict("broken", how=f"malformed output: {problem!r}")
    if bad:
        return Verdict("broken", how=bad)
    drift = report.get("drift")
    most = drift["max_event_error_ticks"] if drift else report["summary"]["max_event_error_ticks"]
    tick = 1e9 / truth.hz
    verdict = Verdict("inside", bound=None if most is None else float(most) * tick, warned="warning:" in said)
    excess, where, _ = max(claims, default=(0.0, "", False))
    verdict.claims = most is not None
    if excess <= 0:
        return verdict
    verdict.excess, verdict.how = excess * tick, where
    verdict.only_events = all(wrong <= 0 for wrong, _, events in claims if not events)
    delta = float(fractions.Fraction(report["delta"]["ticks"]))
    text = " ".join([said, *report["warnings"]])
    pointed = text + " " + (report["diagnosis"]["text"] if report.get("diagnosis") and "see the diagnosis" in text else "")
    named = any(re.search(CAUSES[fact], pointed) for fact in truth.facts)
    named = named or ("stamps" in truth.facts and "no timestamp is off by more" in text and truth.spread / 2 > delta + 0.5)
    stated = [sentence for key in ("premise", "conditions") for sentence in
              ([report[key]] if isinstance(report.get(key), str) else report.get(key) or [])]
    false = any(test(truth, delta, found) for sentence in stated for pattern, test in PREMISES
                for found in [re.search(pattern, sentence)] if found)
    verdict.status = "warned" if named else "premise" if false else "neither"
    return verdict
