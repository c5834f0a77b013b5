"""Property test: counters that wrap, and clocks of several timebases.

    test_counters.py CELLSYNC [--seeds=N] [--first=SEED]

Each trace comes from a hidden truth: clocks of constant rates within 101 ppm of each other, whose counters are shown modulo 2^N,
with jitter, begins, flush stamps, and several locations on a clock. The same rows are written twice: as the counters show them,
and with the times that the counters would show if they had no end, in ticks of the least common multiple of all timebases. Both
must give the same report. The ranges must contain the truth, and --check must accept the output, but not one whose counters
have another number of bits. Every fifth trace has one fault, which must be refused with its line.
"""

import json
import os
import random
import subprocess
import tempfile
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, lcm

from trials import run_seeds

UNIT = 10**9
MILLION = 10**6


@dataclass
class Clock:
    name: str
    hz: int
    rate: Fraction      # seconds by the clock in a second
    start: int          # what the counter shows at second 0, if it had no end
    bits: int           # 0: it does not wrap
    listed: bool = False

    def exact(self, second):
        return self.start + second * self.hz * self.rate


class World:
    def __init__(self, rng):
        self.rng = rng
        self.partial = rng.random() < 0.75
        self.drift = 50 if self.partial and rng.random() < 0.7 else 0
        self.unit = rng.choice([0, 0, 0, MILLION])      # of a column time_us; 0: ticks
        self.hz = MILLION if self.unit else rng.choice([MILLION, 10**7])
        self.option = rng.choice([0, 0, 16, 24, 32])
        self.clocks = [self.clock("ABCD"[i]) for i in range(rng.randint(2, 4))]
        if not any(clock.bits for clock in self.clocks):
            self.clocks[-1].bits, self.clocks[-1].listed = 16, True
        self.common = lcm(self.hz, *(clock.hz for clock in self.clocks))
        shortest = min(Fraction(1 << clock.bits, clock.hz) for clock in self.clocks if clock.bits)
        self.length = shortest * rng.choice([1, 3, 8])
        self.jitter = rng.choice([Fraction(0), Fraction(0), Fraction(20, MILLION)])
        self.threads = [(clock.name if k == 0 else f"{clock.name}{k}", clock) for clock in self.clocks
                        for k in range(rng.choice([1, 1, 2]) if self.partial else 1)]
        self.events = []                                # (second, number, thread, row)

    def clock(self, name):
        rng = self.rng
        hz = self.hz if self.unit or rng.random() < 0.4 else rng.choice([32768 * 32, 19200000, 2000000])
        bits = rng.choice([0, 16, 24, 32]) if self.option == 0 or rng.random() < 0.3 else self.option
        listed = hz != self.hz or bits != self.option
        if listed and bits == 0:
            bits = self.option
        start = rng.randrange(1 << bits) if bits else rng.randint(-10**9, 10**9)
        return Clock(name, hz, 1 + Fraction(rng.randint(-self.drift, self.drift), MILLION), start, bits, listed)

    def show(self, clock, second):
        noise = Fraction(self.rng.randint(-1000, 1000), 1000) * self.jitter
        return floor(clock.exact(second) + noise * clock.hz)

    def event(self, thread, second, **row):
        name, clock = self.threads[thread]
        self.events.append((second, len(self.events), thread, dict(row, thread=name, clock=clock, time=self.show(clock, second))))

    def fill(self):
        rng = self.rng
        for number in range(rng.randint(3, 30) if self.partial else 0):
            one, other = rng.sample(range(len(self.threads)), 2)
            if self.threads[one][1] is self.threads[other][1]:
                continue
            sent = Fraction(rng.randint(0, 10**6), 10**6) * self.length
            took = Fraction(rng.randint(50, 300), MILLION) + 2 * self.jitter
            self.event(one, sent, send=f"m{number}")
            self.event(other, sent + took, recv=f"m{number}")
        # Neighbouring rows of a clock are less than 3/4 of a wrap apart.
        for thread, (_, clock) in enumerate(self.threads):
            gap = Fraction(1 << clock.bits, clock.hz) * Fraction(7, 10) - 2 * self.jitter if clock.bits else self.length
            second = Fraction(0)
            while second < self.length + Fraction(1, 1000):
                row = {}
                if rng.random() < 0.3:
                    row["begin"] = min(Fraction(rng.randint(0, 400), 1000) * gap, second)
                self.event(thread, second, **row)
                second += gap * Fraction(rng.randint(500, 990), 1000)
        self.events.sort(key=lambda event: event[:2])
        for second, _, _, row in self.events:           # as long before the time as the counter shows
            if "begin" in row:
                row["begin"] = min(row["time"], floor(row["clock"].exact(second - row["begin"])))

    def by_location(self, clock):
        """Whether rows of a clock come location by location, so that nothing tells how often it wrapped in between."""
        names = [row["thread"] for *_, row in self.events if row["clock"] is clock]
        runs = 1 + sum(one != other for one, other in zip(names, names[1:]))
        return self.partial and len(set(names)) > 1 and runs == len(set(names))

    def delta(self):
        """What rounding and jitter make of timestamps, in ticks of the common timebase."""
        coarsest = max(Fraction(self.common, clock.hz) for clock in self.clocks)
        return coarsest / 2 + self.jitter * self.common

    def lines(self, shown):
        """The CSV, as counters show it, or as if they had no end."""
        lines = ["# order=partial"] * self.partial + [f"# timebase_hz={self.hz if shown else self.common}"]
        for clock in self.clocks if shown else []:
            if clock.listed:
                name = self.rng.choice([clock.name, f'"{clock.name}"'])
                words = [f"timebase_hz={clock.hz}"] * (clock.hz != self.hz) + [f"wrap_bits={clock.bits}"] * (clock.bits > 0)
                lines += [f"# clock {name} {' '.join(words)}"] if words else []
        lines.append("thread,clock,begin," + ("time_us" if self.unit else "time") + ",send,recv")
        for *_, row in self.events:
            clock = row["clock"]
            values = [row["begin"] if "begin" in row else None, row["time"]]
            if shown and clock.bits:
                values = [None if v is None else v % (1 << clock.bits) for v in values]
            elif not shown:                             # the first reading of a clock is as it is shown
                first = next(r["time"] for *_, r in self.events if r["clock"] is clock)
                less = first - first % (1 << clock.bits) if clock.bits else 0
                values = [None if v is None else (v - less) * (self.common // clock.hz) for v in values]
            lines.append(",".join([row["thread"], clock.name, *("" if v is None else str(v) for v in values),
                                   row.get("send", ""), row.get("recv", "")]))
        return lines

    def truth(self, clock, reading, tau):
        """What tau shows, without rounding, when the clock shows a reading of the common timebase: both are half a step low."""
        first = next(r["time"] for *_, r in self.events if r["clock"] is clock)
        less = first - first % (1 << clock.bits) if clock.bits else 0
        own = first - first % (1 << tau.bits) if tau is clock and tau.bits else 0
        if tau is not clock:
            first = next(r["time"] for *_, r in self.events if r["clock"] is tau)
            own = first - first % (1 << tau.bits) if tau.bits else 0
        at = (Fraction(reading) * clock.hz / self.common + less + Fraction(1, 2) - clock.start) / (clock.hz * clock.rate)
        return (tau.exact(at) - own - Fraction(1, 2)) * self.common / tau.hz


def run(args):
    return subprocess.run(args, capture_output=True, text=True, timeout=120, check=False)


def write(path, lines):
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def fixed(text):
    return Fraction(str(text))


def outside(world, found, lines):
    """A clock whose truth is outside its range, or None. lines: rows without an end."""
    tau = next(clock for clock in world.clocks if clock.name == found["reference"])
    rows = [line.split(",") for line in lines if line[0] != "#" and not line.startswith("thread")]
    drifts = world.drift > 0
    for row in found["drift"]["clocks"] if drifts else found["threads"]:
        clock = next(clock for clock in world.clocks if clock.name == row["name"])
        readings = [int(values[3]) for values in rows if values[1] == clock.name]
        for end, reading in (("first", min(readings)), ("last", max(readings))):
            said = row[end] if drifts else row
            if drifts:
                reading = fixed(said["local_ticks"]) if "local_ticks" in said else reading
            if said["earliest_ticks"] is None or said["latest_ticks"] is None or (drifts and not row["bounded"]):
                continue
            base = next(r for r in (found["drift"]["clocks"] if drifts else found["threads"]) if r["name"] == tau.name)
            base = fixed((base["first"] if drifts else base)["offset_ticks"])
            truth = world.truth(clock, reading, tau) + base - reading
            if not fixed(said["earliest_ticks"]) <= truth <= fixed(said["latest_ticks"]):
                return f"{clock.name}, {end}: the truth, {float(truth)}, is outside {said}"
    return None


def spoil(world, lines, rng):
    """A fault, and the line that must be named, or None if it cannot be made."""
    header = next(i for i, line in enumerate(lines) if line.startswith("thread"))
    listed = [i for i in range(header) if lines[i].startswith("# clock")]
    kind = rng.choice(["large", "negative", "twice", "nobody", "bits", "word"])
    if kind in ("large", "negative"):
        rows = [i for i in range(header + 1, len(lines)) if
                next(c for c in world.clocks if c.name == lines[i].split(",")[1]).bits]
        at = rng.choice(rows)
        values = lines[at].split(",")
        clock = next(c for c in world.clocks if c.name == values[1])
        values[2], values[3] = "", "-1" if kind == "negative" else str(1 << clock.bits)
        return [*lines[:at], ",".join(values), *lines[at + 1:]], at + 1
    if kind == "twice" and listed:
        at = rng.choice(listed)
        return [*lines[:header], lines[at], *lines[header:]], header + 1
    more = {"nobody": "# clock nobody wrap_bits=16", "bits": f"# clock A wrap_bits={rng.choice([0, 1, 63, 64, 'x'])}",
            "word": "# clock A wrap_bits=16 hz=5"}.get(kind)
    if more is None or any(lines[i].startswith(("# clock A", '# clock "A"')) for i in listed):
        return None
    return [*lines[:header], more, *lines[header:]], header + 1


def check(program, seed):
    rng = random.Random(seed)
    world = World(rng)
    world.fill()
    shown, plain = world.lines(True), world.lines(False)
    if world.unit:                                      # such a column has microseconds in both
        assert world.common == MILLION
    bits = [f"--counter-bits={world.option}"] * (world.option > 0)
    rates = ["--drift=101"] if world.drift else ["--drift=0"]
    delta = ceil(world.delta() * 2)
    options = [*rates, f"--delta={delta}/2", "-q"]
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("t.csv", "r.json", "o.csv", "changed.csv")]
        trace, report, out, changed = paths
        if seed % 5 == 0:
            spoilt = spoil(world, shown, rng)
            if spoilt is None:
                return None
            write(trace, spoilt[0])
            done = run([program, trace, "-r", report, *options, *bits])
            if done.returncode != 1 or f"line {spoilt[1]}:" not in done.stderr or os.path.exists(report):
                return f"a fault in line {spoilt[1]}: exit {done.returncode}: {done.stderr}\n" + "\n".join(spoilt[0])
            return None
        found = []
        for lines, more, outs in ((shown, bits, ["-o", out]), (plain, [], [])):
            write(trace, lines)
            done = run([program, trace, "-r", report, *outs, *options, *more])
            if lines is shown and any(clock.bits and world.by_location(clock) for clock in world.clocks):
                if done.returncode != 1 or "are sorted by location" not in done.stderr:
                    return f"rows by location: exit {done.returncode}: {done.stderr}\n" + "\n".join(lines)
                return None
            if done.returncode:
                return f"exit {done.returncode}: {done.stderr}\n{' '.join(options + more)}\n" + "\n".join(lines)
            with open(report, encoding="utf-8") as file:
                found.append(json.load(file))
        conditions = [one["conditions"] for one in found]
        if len(conditions[0]) != len(conditions[1]) + 1:
            return f"conditions: {conditions}"
        for one in found:
            del one["conditions"]
        if found[0] != found[1]:
            keys = [key for key in found[0] if found[0][key] != found[1].get(key)]
            return f"reports differ in {keys}: {found[0][keys[0]]} and {found[1][keys[0]]}\n{' '.join(options + bits)}\n" + \
                "\n".join(shown)
        fault = outside(world, found[0], plain)
        if fault:
            return f"{fault}\n{' '.join(options + bits)}\n" + "\n".join(shown)
        proof = run([program, "--check", out])
        if proof.returncode:
            return f"--check: {proof.stderr}\n" + "\n".join(shown)
        with open(out, encoding="utf-8") as file:
            text = file.read()
        facts = text.split("\n", 1)[0]
        if world.option and f" counter_bits={world.option}" not in facts:
            return f"facts: {facts}"
        wrapped = any(row["time"] >> row["clock"].bits != next(r["time"] for *_, r in world.events if r["clock"] is
                      row["clock"]) >> row["clock"].bits for *_, row in world.events
                      if row["clock"].bits and row["clock"].bits == world.option)
        if world.option and wrapped and not any(c.listed and c.bits == world.option for c in world.clocks):
            with open(changed, "w", encoding="utf-8") as file:
                file.write(text.replace(f" counter_bits={world.option}", f" counter_bits={world.option + 1}", 1))
            if run([program, "--check", changed]).returncode == 0:
                return f"--check accepts counters of {world.option + 1} bits\n" + text
    return None


if __name__ == "__main__":
    run_seeds(check, 60)
