#!/usr/bin/env python3
"""pcap_test.py CELLSYNC CELLSTAT TESTDATA [TRIALS [SEED]]: captures with known clocks.

1. Recordings of real packets (testdata/pcap): the truth is inside all bounds, with default options.
2. A simulation with loss, reordering, duplicates, keep-alives, retransmissions with one key, asymmetric delays, and
   clocks that drift and wander: the same. Controls: captures whose directions are reversed must be refused or warn.
3. Outputs: every byte but the timestamps is as before, and tcpdump, tshark, and capinfos read them.
4. Received packets with the time of the network card: the truth is inside. Control: sorted by their timestamps, the
   captures do not show the second clock; if it is behind, the truth must be outside, or timestamps contradict the order.
5. One-way delays: the true least, mean, and median of each direction are in the ranges of cellstat latency.
6. Gaps: named if other captures show packets that the host sent; not if the link was idle or down, or if other ports
   were left out of the capture.
7. Units: the premise is the coarsest unit of a host's interfaces, also if few or late packets have this unit.
"""
import bisect
import csv
import gzip
import json
import io
import math
import os
import random
import shutil
import struct
import subprocess
import sys
import tempfile
from fractions import Fraction

SECOND = 10**9
PEERS = {name: shutil.which(name) for name in ("tcpdump", "tshark", "capinfos")}


class Clock:
    """As in tests/record/pcap.py."""

    def __init__(self, offset_s=0.0, ppm=0.0, wander_ppm=0.0, period_s=3.0, step_s=0.0, step_at_s=0.0):
        self.offset, self.ppm, self.wander, self.period = offset_s, ppm, wander_ppm, period_s
        self.step, self.step_at = step_s, step_at_s

    def shows(self, ns, start):
        s = (ns - start) / SECOND
        moved = self.offset + self.ppm * 1e-6 * s
        moved += self.wander * 1e-6 * self.period / (2 * math.pi) * (1 - math.cos(2 * math.pi * s / self.period))
        return ns + round((moved + (self.step if s >= self.step_at else 0)) * SECOND)


def run(*command, status=0):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == status, f"{command}: {done.returncode}\n{done.stderr}"
    return done


def packets(data):
    """(block begin, timestamp place, ns) of each packet of a pcap or pcapng."""
    magic = data[:4]
    if magic == b"\x0a\x0d\x0d\x0a":
        at, units = 0, []
        while at + 12 <= len(data):
            kind, size = struct.unpack_from("<II", data, at)
            if kind == 1:
                exponent, option = 6, at + 16
                while option + 4 <= at + size - 4:
                    code, n = struct.unpack_from("<HH", data, option)
                    if code == 9:
                        exponent = data[option + 4]
                    option += 4 + (n + 3) // 4 * 4
                units.append(10**(9 - exponent))
            if kind == 6:
                number, high, low = struct.unpack_from("<III", data, at + 8)
                yield at, at + 12, (high << 32 | low) * units[number], number
            at += size
        return
    order = "<" if magic[0] in (0x4D, 0xD4) else ">"
    unit = 1 if 0x4D in (magic[0], magic[3]) else 1000
    at = 24
    while at + 16 <= len(data):
        s, part, captured = struct.unpack_from(order + "III", data, at)
        yield at, at, s * SECOND + part * unit, 0
        at += 16 + captured


def read(path):
    with open(path, "rb") as f:
        return f.read()


# --- Judging -------------------------------------------------------------------------------------

def knots(cellsync, files, options, folder):
    """The clocks of the solution: thread -> rows, and the reference."""
    path = os.path.join(folder, "clocks.csv")
    done = run(cellsync, "--clocks=" + path, *options, *files)
    out, reference, rate = {}, None, 0
    with open(path, encoding="utf-8") as f:
        for line in f:
            if line.startswith("# cellsync reference="):
                reference = line.split("=")[1].split()[0]
                rate = Fraction(line.split(" drift=")[1].split()[0]) / 10**6 if " drift=" in line else 0
            if line.startswith("#"):
                continue
            fields = line.rstrip("\n").split(",")
            if fields[0] == "thread":
                columns = fields
                continue
            row = dict(zip(columns, fields))
            out.setdefault(row["thread"], []).append(row)
    return out, reference, rate, done.stderr


def bound(rows, local, rate):
    """The earliest and the latest global time of a reading: between two knots by a line, elsewhere by the rate."""
    times = [int(r["local"]) for r in rows]
    i = min(max(bisect.bisect_right(times, local) - 1, 0), len(rows) - 1)
    ends = []
    for column, sign in (("earliest_event", -1), ("latest_event", 1)):
        if not rows[i][column] or i + 1 < len(rows) and not rows[i + 1][column]:
            ends.append(sign * math.inf)
            continue
        left = Fraction(rows[i][column])
        if times[i] <= local and i + 1 < len(rows):
            right = Fraction(rows[i + 1][column])
            ends.append(left + (right - left) * Fraction(local - times[i], times[i + 1] - times[i]))
        else:
            ends.append(left + local - times[i] + sign * rate * abs(local - times[i]))
    return ends


def judge(cellsync, files, truth, clocks, start, options, folder, unit=1):
    """files: host -> path; truth: host -> true times. Return how many events are outside, and all bounded, widths."""
    solution, reference, rate, messages = knots(cellsync, list(files.values()), options, folder)
    own = reference.split("/")[0].split("@")[0]
    row = solution[reference][0]
    constant = Fraction(row["global"]) - int(row["local"])
    outside = bounded = 0
    widths = []
    for host, path in files.items():
        segments = {name: rows for name, rows in solution.items() if name.split("/")[0].split("@")[0] == host}
        for (_, _, local, _), true in zip(packets(read(path)), truth[host]):
            # A clock that was set has segments; the reading belongs to the one that covers it.
            covers = [r for r in segments.values()
                      if len(segments) == 1 or int(r[0]["local"]) <= local <= int(r[-1]["local"])]
            if len(covers) != 1:
                continue
            earliest, latest = bound(covers[0], local, rate)
            at = clocks[own].shows(true, start) + constant
            outside += not earliest - unit <= at <= latest + unit
            if not isinstance(earliest, float) and not isinstance(latest, float):
                bounded += 1
                if host != own:
                    widths.append(float(latest - earliest))
    return outside, bounded, sorted(widths), messages


def recorded(folder):
    """The files, the truth, and the clocks of a recording."""
    truth, clocks, start = {}, {}, 0
    with gzip.open(os.path.join(folder, "truth.csv.gz"), "rt") as f:
        rows = []
        for line in f:
            if line.startswith("# start_ns"):
                start = int(line.split()[2])
            elif line.startswith("# clock"):
                clocks[line.split()[2]] = Clock(*map(float, line.split()[3:]))
            else:
                rows.append(line)
    for row in csv.DictReader(rows):
        truth.setdefault(row["host"], []).append(int(row["true_ns"]))
    files = {f.split(".")[0]: os.path.join(folder, f) for f in sorted(os.listdir(folder)) if "pcap" in f}
    return files, truth, clocks, start


def test_recordings(cellsync, testdata, temp):
    for name, options, unit, most_us in (("lan", [], 1, 300), ("wan", [], 1000, 8000),
                                         ("three", [], 1, 2000), ("lan", ["--drift=0", "--delta=1ms"], 1, 1e9),
                                         ("lan", ["--drift=101,4"], 1, 60), ("wan", ["--drift=101"], 1000, 4000)):
        files, truth, clocks, start = recorded(os.path.join(testdata, "pcap", name))
        outside, bounded, widths, _ = judge(cellsync, files, truth, clocks, start, options, temp, unit)
        assert outside == 0, f"{name} {options}: {outside} of {bounded} outside"
        assert bounded > 0.9 * sum(map(len, truth.values())), f"{name} {options}: {bounded} bounded"
        print(f"{name} {' '.join(options)}: truth inside all of {bounded} bounds, the median {widths[len(widths) // 2]:.0f} ns wide")
        assert widths[len(widths) // 2] < most_us * 1000, widths[len(widths) // 2]


# --- Simulation ------------------------------------------------------------------------------------

def ip4(source, target, protocol, number, payload):
    return struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(payload), number, 0x4000, 64, protocol, 0,
                       bytes([10, 0, 0, source]), bytes([10, 0, 0, target])) + payload


def tcp(source, target, sequence, flags, data):
    return struct.pack(">HHIIBBHHH", source, target, sequence, 1, 0x50, flags, 1000, 0xBEEF, 0) + data


def udp(source, target, data):
    return struct.pack(">HHHH", source, target, 8 + len(data), 0x1234) + data


def hop(packet):
    """What a router changes."""
    changed = bytearray(packet)
    changed[8] -= 1
    changed[10] ^= 0x55
    return bytes(changed)


class Capture:
    """A capture of one host: pcap of SLL2 or Ethernet, or pcapng with flags."""

    def __init__(self, kind, drops=0):
        self.kind, self.rows, self.drops = kind, [], drops

    def add(self, local, true, out, packet, peer):
        self.rows.append((local, true, out, packet, peer))

    def write(self, path, host, r, reverse=False, by_stamp=False):
        # Capture programs write nearly in order.
        rows = sorted(self.rows, key=lambda row: row[0] if by_stamp else row[1] + r.randrange(0, 20000))
        blocks = [struct.pack("<IHHiIII", 0xA1B23C4D, 2, 4, 0, 0, 262144, {"sll2": 276, "ethernet": 1}.get(self.kind, 1))]
        if self.kind == "pcapng":
            blocks = [struct.pack("<IIIHHqI", 0x0A0D0D0A, 28, 0x1A2B3C4D, 1, 0, -1, 28),
                      struct.pack("<IIHHIHHBBBBHHI", 1, 32, 1, 0, 0, 9, 1, 9, 0, 0, 0, 0, 0, 32)]
        for local, _, out, packet, peer in rows:
            out ^= reverse
            mac = [b"\x02\0\0\0\0" + bytes([n]) for n in (host, peer)]
            ether = (mac[1] + mac[0] if out else mac[0] + mac[1]) + b"\x08\0" + packet
            if self.kind == "sll2":
                data = struct.pack(">HHIHBB8s", 0x0800, 0, 1, 1, 4 if out else 0, 6, b"") + packet
            else:
                data = ether
            if self.kind == "pcapng":
                pad = -len(data) % 4
                size = 32 + len(data) + pad + 12
                blocks.append(struct.pack("<IIIIIII", 6, size, 0, local >> 32, local & 0xFFFFFFFF, len(data), len(data)) +
                              data + bytes(pad) + struct.pack("<HHIHHI", 2, 4, 2 if out else 1, 0, 0, size))
            else:
                blocks.append(struct.pack("<IIII", local // SECOND, local % SECOND, len(data), len(data)) + data)
        if self.drops:  # interface statistics: isb_ifdrop
            blocks.append(struct.pack("<IIIIIHHQHHI", 5, 40, 0, rows[-1][0] >> 32, rows[-1][0] & 0xFFFFFFFF, 5, 8,
                                      self.drops, 0, 0, 40))
        with open(path, "wb") as f:
            f.write(b"".join(blocks))
        self.outs = [row[2] for row in rows]
        return [row[1] for row in rows]


def simulate(seed, folder, reverse=None):
    """Hosts that talk: return files, truth, clocks, and the start."""
    r = random.Random(seed)
    hosts = "ab" if r.random() < 0.6 else "abc"
    start = 1_700_000_000 * SECOND
    clocks = {h: Clock(r.choice([0, r.uniform(-2, 2), r.uniform(-1e5, 1e5)]), r.uniform(-40, 40), r.uniform(0, 4), 3.0)
              for h in hosts}
    captures = {h: Capture(r.choice(["sll2", "pcapng", "ethernet"])) for h in hosts}
    late = {h: start + round(r.choice([0, 0, r.uniform(0, 1)]) * SECOND) for h in hosts}  # captures that begin late
    delays = {(x, y): r.choice([20_000, 500_000, 2_000_000, 30_000_000]) for x in hosts for y in hosts}
    jitter, loss = r.choice([5_000, 100_000, 3_000_000]), r.choice([0, 0.01, 0.2])
    numbers = {h: 1 for h in hosts}

    def see(host, true, out, packet, peer):
        if true >= late[host]:
            captures[host].add(clocks[host].shows(true, start), true, out, packet, hosts.index(peer) + 1)

    def send(true, x, y, packet):
        see(x, true, True, packet, y)
        for _ in range(2 if r.random() < 0.01 else 1):  # the network duplicates some
            if r.random() >= loss:
                arrival = true + delays[x, y] + round(r.expovariate(1 / jitter))
                see(y, arrival, False, hop(packet), x)

    now = start
    for i in range(r.choice([200, 1500])):
        now += round(r.expovariate(1 / (4 * SECOND / 1500)))
        x, y = r.sample(hosts, 2)
        sx, sy = hosts.index(x) + 1, hosts.index(y) + 1
        kind = r.random()
        if kind < 0.5:
            send(now, x, y, ip4(sx, sy, 17, numbers[x] & 0xFFFF or 1, udp(1000, 2000, b"%06d" % i)))
            numbers[x] += 1
        elif kind < 0.8:
            packet = ip4(sx, sy, 6, 0, tcp(3000, 80, i * 1000, 0x18, b"data%06d" % i))
            send(now, x, y, packet)
            while r.random() < 0.2:  # retransmissions with one key
                send(now + round(r.uniform(0.001, 1.5) * SECOND), x, y, packet)
        elif kind < 0.9:
            send(now, x, y, ip4(sx, sy, 6, 0, tcp(3000, 80, 77, 0x10, b"\0")))  # keep-alives: all the same
        else:
            send(now, x, y, ip4(sx, sy, 17, 0, udp(5000, 5000, b"ping")))
    files, truth = {}, {}
    for h in hosts:
        files[h] = os.path.join(folder, h + (".pcapng" if captures[h].kind == "pcapng" else ".pcap"))
        truth[h] = captures[h].write(files[h], hosts.index(h) + 1, r, reverse == h)
    return files, truth, clocks, start, captures


def test_simulations(cellsync, trials, seed, temp):
    total = 0
    for trial in range(trials):
        folder = os.path.join(temp, f"s{trial}")
        os.mkdir(folder)
        files, truth, clocks, start, _ = simulate(seed + trial, folder)
        outside, bounded, widths, _ = judge(cellsync, files, truth, clocks, start, [], folder)
        assert outside == 0, f"seed {seed + trial}: {outside} of {bounded} outside"
        total += bounded
        shutil.rmtree(folder)
    assert total > 100 * trials, total
    print(f"{trials} simulations: truth inside all of {total} bounds")


def test_control(cellsync, temp):
    """If the directions of one capture are reversed, all its messages contradict each other, or none is left."""
    wrong = 0
    for seed in range(1000, 1010):
        folder = os.path.join(temp, f"c{seed}")
        os.mkdir(folder)
        files, truth, clocks, start, captures = simulate(seed, folder)
        host = next((h for h in files if captures[h].kind != "ethernet"), None)
        if host:
            files, truth, clocks, start, _ = simulate(seed, folder, reverse=host)
            outside, bounded, _, messages = judge(cellsync, files, truth, clocks, start, [], folder)
            others = [h for h in files if h != host]
            wrong += 1
            assert len(others) > 1 or bounded <= len(truth[files and "ab"[0]]) + len(truth["ab"[1]]), seed
            # The reversed host is received from by others that sent: it is bounded on no side, or refused.
            assert "contradict" in messages or outside or bounded < sum(map(len, truth.values())), seed
        shutil.rmtree(folder)
    assert wrong > 0


# --- Clocks of network cards ---------------------------------------------------------------------

def talk(r, start, captures, shows, seconds, rate, ports=(2000,), burst=0):
    """Two hosts send each other UDP packets with identifications. Return sent: (from, to) -> [(sent, arrived, port)]."""
    now, number, sent = start, 0, {}
    for _ in range(round(seconds * rate)):
        now += round(r.expovariate(rate) * SECOND)
        x, y = r.choice(("ab", "ba"))
        for _ in range(r.randint(2, burst) if burst else 1):
            port = r.choice(ports)
            packet = ip4("ab".index(x) + 1, "ab".index(y) + 1, 17, number % 65535 + 1, udp(1000, port, b"%08d" % number))
            number += 1
            arrival = now + 200_000 + (300_000 if x == "a" else 0) + round(r.expovariate(1 / 100_000))
            peers = {h: "ab".index(h) + 1 for h in "ab"}
            if captures[x]:
                captures[x].add(shows(x, True, now), now, True, packet, peers[y])
            if captures[y]:
                captures[y].add(shows(y, False, arrival), arrival, False, hop(packet), peers[x])
            sent.setdefault((x, y), []).append((now, arrival, port))
            now += 10_000 if burst else 0
    return sent


def test_bursts(cellsync, temp):
    """Captures of Ethernet show no directions, and hosts send several packets at once: the times show who sent them."""
    start = 1_700_000_000 * SECOND
    for seed in range(10):
        r = random.Random(seed)
        clocks = {"a": Clock(r.uniform(-2, 2), 30), "b": Clock(0.1, r.uniform(-40, 40), 3)}
        captures = {h: Capture("ethernet") for h in "ab"}
        talk(r, start, captures, lambda h, out, ns: clocks[h].shows(ns, start), 5, 30, burst=8)
        files = {h: os.path.join(temp, h + ".pcap") for h in "ab"}
        truth = {h: captures[h].write(files[h], "ab".index(h) + 1, r) for h in "ab"}
        outside, bounded, _, _ = judge(cellsync, files, truth, clocks, start, [], temp)
        assert outside == 0 and bounded == sum(map(len, truth.values())), (seed, outside, bounded)


def test_two_clocks(cellsync, temp):
    seen = controls = failed = 0
    for seed in range(20):
        r = random.Random(seed)
        start = 1_700_000_000 * SECOND
        # The card is off by some ms, or by the seconds between TAI and UTC; its crystal is another one.
        offset = r.choice([37, -37, 0.02, -0.05, r.uniform(-1, -0.01)])
        clocks = {"a": Clock(0.3, r.uniform(-40, 40)), "b": Clock(-0.2, r.uniform(-40, 40), 2),
                  "card": Clock(offset - 0.2, r.uniform(-40, 40))}

        def shows(host, out, ns):
            return clocks["card" if host == "b" and not out else host].shows(ns, start)

        for by_stamp in (False, True):
            folder = os.path.join(temp, f"n{seed}{by_stamp}")
            os.mkdir(folder)
            r.seed(seed)
            captures = {h: Capture(r.choice(["sll2", "pcapng", "ethernet"])) for h in "ab"}
            talk(r, start, captures, shows, 4, 400)
            files, truth = {}, {}
            for h in "ab":
                files[h] = os.path.join(folder, h + ".pcap")
                truth[h] = captures[h].write(files[h], "ab".index(h) + 1, r, by_stamp=by_stamp and h == "b")
            solution, reference, rate, messages = knots(cellsync, list(files.values()), ["--reference=a", "--steps=0"], folder)
            assert reference == "a", reference
            constant = Fraction(solution["a"][0]["global"]) - int(solution["a"][0]["local"])
            outside = bounded = 0
            for out, (_, _, local, _), true in zip(captures["b"].outs, packets(read(files["b"])), truth["b"]):
                name = "b" if out or "b (received)" not in solution else "b (received)"
                rows = solution[name if name in solution else "b (received)"]
                earliest, latest = bound(rows, local, rate)
                outside += not earliest - 1 <= clocks["a"].shows(true, start) + constant <= latest + 1
                bounded += math.isfinite(earliest) or math.isfinite(latest)
            if by_stamp and bounded > 0 and offset < 0:  # a card that is ahead only makes bounds wide
                failed += outside > 0 or "contradict" in messages
                controls += 1
            if not by_stamp:
                assert "b (received)" in solution, f"seed {seed}: one clock"
                assert "have timestamps of different clocks" in messages, messages
                assert outside == 0, f"seed {seed}: {outside} outside"
                # Each clock of b is bounded on one side; none is if the captures do not show the directions.
                shown = all(captures[h].kind != "ethernet" for h in "ab")
                assert not shown or bounded == len(truth["b"]), (seed, bounded)
                seen += bounded
            shutil.rmtree(folder)
    assert seen > 10000, seen
    assert controls > 5 and failed == controls, f"controls: {failed} of {controls} fail"
    print(f"network cards with clocks of their own: truth inside all bounds of {seen} packets")


# --- Routers -------------------------------------------------------------------------------------

def test_routers(cellsync, temp):
    """Packets of a and c pass the router b, which is captured, too, at both sides or only where it sends."""
    start = 1_700_000_000 * SECOND
    for seed in range(10):
        r = random.Random(seed)
        clocks = {h: Clock(r.uniform(-2, 2), r.uniform(-40, 40)) for h in "abc"}
        captures = {h: Capture("sll2") for h in "abc"}
        now, both = start, seed % 3 > 0
        for i in range(600):
            now += round(r.expovariate(100) * SECOND)
            path = r.choice(("abc", "cba"))
            packet = ip4("abc".index(path[0]) + 1, "abc".index(path[2]) + 1, 17, i + 1, udp(1000, 2000, b"%08d" % i))
            at = now
            for host, out in ((path[0], True), ("b", False), ("b", True), (path[2], False)):
                if both or host != "b" or out:
                    captures[host].add(clocks[host].shows(at, start), at, out, packet, 9)
                if host == "b" and r.random() < 0.02:
                    break               # a packet that the router lost
                at += round(r.uniform(5_000, 50_000) if host == "b" and not out else r.uniform(50_000, 900_000))
                packet = hop(packet) if host == "b" and not out else packet
        files = {h: os.path.join(temp, h + ".pcap") for h in "abc"}
        truth = {h: captures[h].write(files[h], "abc".index(h) + 1, r) for h in "abc"}
        outside, bounded, _, _ = judge(cellsync, files, truth, clocks, start, ["--reference=a"], temp)
        # No packet precedes those of a router that is captured only where it sends.
        wanted = "abc" if both else "ac"
        assert outside == 0 and bounded >= sum(len(truth[h]) for h in wanted), (seed, outside, bounded)


# --- Segments ------------------------------------------------------------------------------------

def test_segments(cellsync, temp):
    """The network card of a divides long packets, and that of b merges some of their parts."""
    start = 1_700_000_000 * SECOND
    for seed in range(10):
        r = random.Random(seed)
        clocks = {"a": Clock(r.uniform(-2, 2), 30), "b": Clock(0.1, r.uniform(-40, 40), 3)}
        captures = {h: Capture("sll2") for h in "ab"}
        now, sequence, number = start, 1, 1
        for i in range(200):
            now += round(r.expovariate(100) * SECOND)
            data = bytes(r.randrange(256) for _ in range(16)) * r.randint(1, 1000)
            captures["a"].add(clocks["a"].shows(now, start), now, True,
                              ip4(1, 2, 6, number, tcp(3000, 80, sequence, 0x18, data)), 9)
            at, begin = now + round(r.uniform(50_000, 900_000)), 0
            while begin < len(data):
                end = begin + 1400 * r.randint(1, 4)
                packet = ip4(1, 2, 6, number + begin // 1400, tcp(3000, 80, sequence + begin, 0x18 if end >= len(data) else 0x10, data[begin:end]))
                captures["b"].add(clocks["b"].shows(at, start), at, False, hop(packet), 9)
                at, begin = at + r.randint(1000, 20_000), end
            sequence, number = sequence + len(data), number + len(data) // 1400 + 1
            packet = ip4(2, 1, 6, i + 1, tcp(80, 3000, i + 1, 0x10, b""))
            captures["b"].add(clocks["b"].shows(at, start), at, True, packet, 9)
            back = at + round(r.uniform(50_000, 900_000))
            captures["a"].add(clocks["a"].shows(back, start), back, False, hop(packet), 9)
        files = {h: os.path.join(temp, h + ".pcap") for h in "ab"}
        truth = {h: captures[h].write(files[h], "ab".index(h) + 1, r) for h in "ab"}
        outside, bounded, _, _ = judge(cellsync, files, truth, clocks, start, [], temp)
        assert outside == 0 and bounded == sum(map(len, truth.values())), (seed, outside, bounded)
        made = json.loads(run(cellsync, "-q", "-r", "-", "--report-format=json", *files.values()).stdout)
        assert made["matched"]["messages"] == 400, made["matched"]


# --- Address translation -------------------------------------------------------------------------

def test_translation(cellsync, temp):
    """A router translates the address and the port of a; packets have TCP timestamps."""
    start = 1_700_000_000 * SECOND

    def stamped(source, target, source_port, target_port, number):
        return ip4(source, target, 6, number + 1, struct.pack(
            ">HHIIBBHHHBBBBII", source_port, target_port, number * 10, 1, 0x80, 0x18, 1000, 0xBEEF, 0,
            1, 1, 8, 10, number, 7) + b"%08d" % number)

    for seed in range(5):
        r = random.Random(seed)
        clocks = {"a": Clock(r.uniform(-2, 2), 30), "b": Clock(0.1, r.uniform(-40, 40), 3)}
        captures = {h: Capture(r.choice(["sll2", "ethernet"])) for h in "ab"}
        now = start
        for i in range(400):
            now += round(r.expovariate(100) * SECOND)
            out = r.random() < 0.5
            own = stamped(1, 2, 3000, 80, i) if out else stamped(2, 1, 80, 3000, i)
            other = stamped(9, 2, 41234, 80, i) if out else stamped(2, 9, 80, 41234, i)
            x, y = "ab" if out else "ba"
            arrival = now + round(r.uniform(50_000, 900_000))
            captures[x].add(clocks[x].shows(now, start), now, True, own if out else other, 9)
            captures[y].add(clocks[y].shows(arrival, start), arrival, False, hop(other if out else own), 9)
        files = {h: os.path.join(temp, h + ".pcap") for h in "ab"}
        truth = {h: captures[h].write(files[h], "ab".index(h) + 1, r) for h in "ab"}
        outside, bounded, _, _ = judge(cellsync, files, truth, clocks, start, [], temp)
        assert outside == 0 and bounded == 800, (seed, outside, bounded)


# --- One-way delays --------------------------------------------------------------------------------

def test_directions(cellsync, cellstat, temp):
    start = 1_700_000_000 * SECOND
    for seed in range(5):
        r = random.Random(seed)
        clocks = {"a": Clock(r.uniform(-2, 2), 30), "b": Clock(0.1, r.uniform(-40, 40), 3)}
        captures = {h: Capture("sll2") for h in "ab"}
        sent = talk(r, start, captures, lambda h, out, ns: clocks[h].shows(ns, start), 5, 300)
        files = [os.path.join(temp, h + ".pcap") for h in "ab"]
        for h, path in zip("ab", files):
            captures[h].write(path, "ab".index(h) + 1, r)
        made = json.loads(run(cellstat, "-q", "latency", "--format=json", *files).stdout)
        rows = {(row["sender"][-1], row["receiver"][-1]): row for row in made["sheets"]["direction"]}
        assert set(rows) == set(sent), rows
        made = json.loads(run(cellsync, "-q", "-r", "-", "--report-format=json", *files).stdout)
        delays = {(delay["from"], delay["to"]): delay for delay in made["delays"]}
        assert set(delays) == set(sent), delays
        for way, messages in sent.items():
            row = rows[way]
            took = sorted(arrived - left for left, arrived, _ in messages)
            delay = delays[way]
            assert row["messages"] == delay["messages"] == len(took), (row["messages"], delay, len(took))
            lo, hi = delay["least_delay_least_ns"], delay["least_delay_greatest_ns"]
            assert lo * (1 - 1e-4) <= took[0] <= hi * (1 + 1e-4), (seed, way, delay, took[0])
            assert abs(delay["least_delay_ns"] - row["least_ticks"]["estimate"]) <= 2, (delay, row)
            for name, true in (("least_ticks", took[0]), ("mean_microticks", 10**6 * sum(took) / len(took)),
                               ("median_ticks", took[(len(took) - 1) // 2])):
                lo, hi = row[name]["lo"], row[name]["hi"]
                # A second of the reference is another second, by at most 40 ppm.
                assert lo * (1 - 1e-4) <= true <= hi * (1 + 1e-4), (seed, way, name, true, lo, hi)
                assert lo < hi < 10 * true, (name, lo, true, hi)
    print("one-way delays: the true least, mean, and median are in their ranges")


# --- Gaps ------------------------------------------------------------------------------------------

def test_gaps(cellsync, temp):
    start = 1_700_000_000 * SECOND
    # name, a packet of this host at this time is left out, a packet is lost, ports, warned
    cases = (
        ("gap", lambda h, s, port: h == "a" and 8 < s < 11, lambda s: False, (2000,), True),
        ("short", lambda h, s, port: h == "a" and 8 < s < 8.6, lambda s: False, (2000,), False),
        ("idle", lambda h, s, port: 8 < s < 11, lambda s: False, (2000,), False),
        ("down", lambda h, s, port: False, lambda s: 8 < s < 11, (2000,), False),
        ("filter", lambda h, s, port: h == "a" and (port == 3000 or 8 < s < 11 and port == 2000) or
         h == "b" and 8 < s < 11 and port == 2000, lambda s: False, (2000, 3000), False),
    )
    for name, hides, lost, ports, warned in cases:
        r = random.Random(name)
        clocks = {"a": Clock(1, 30), "b": Clock(0, -10, 2)}
        captures = {h: Capture("pcapng") for h in "ab"}
        everything = {h: Capture("pcapng") for h in "ab"}
        sent = talk(r, start, everything, lambda h, out, ns: clocks[h].shows(ns, start), 20, 50, ports)
        ports_of = {left: port for messages in sent.values() for left, _, port in messages}
        lefts = {arrived: left for messages in sent.values() for left, arrived, _ in messages}
        for h in "ab":
            for row in everything[h].rows:
                left = row[1] if row[2] else lefts[row[1]]
                s = (left - start) / SECOND
                if name == "down" and lost(s) and (not row[2] or h == "a"):
                    continue  # nothing arrives, and a sends nothing meanwhile
                if not hides(h, s, ports_of[left]):
                    captures[h].rows.append(row)
        files = [os.path.join(temp, h + ".pcapng") for h in "ab"]
        for h, path in zip("ab", files):
            captures[h].write(path, "ab".index(h) + 1, r)
        messages = run(cellsync, *files).stderr
        assert ("a: 1 gaps of more than 1 s" in messages) == warned, (name, messages)
        assert "b: 1 gaps" not in messages, (name, messages)
    captures["b"].drops = 17
    captures["b"].write(files[1], 2, r)
    messages = run(cellsync, *files).stderr
    assert "b: 17 packets were dropped during the capture, so it is not complete" in messages, messages
    print("gaps: named where other captures show them, and only there")


# --- Units -------------------------------------------------------------------------------------------

def test_units(cellsync, temp):
    def interface(exponent):
        return struct.pack("<IIHHIHHBBBBHHI", 1, 32, 1, 0, 0, 9, 1, exponent, 0, 0, 0, 0, 0, 32)

    def captures(exponents, first, count=40):
        """A capture whose packets from `first` on have the second of two units, and the capture of the other host."""
        blocks = [struct.pack("<IIIHHqI", 0x0A0D0D0A, 28, 0x1A2B3C4D, 1, 0, -1, 28), *map(interface, exponents)]
        peer = Capture("sll2")
        for n in range(count):
            ns, out = 1_700_000_000 * SECOND + 1_000_003 * n, n % 2 == 0
            packet = ip4(1 + n % 2, 2 - n % 2, 17, 1 + n % 65535, udp(1, 2, b"%09d" % n))
            peer.add(ns + (700 if out else 0), ns, not out, packet, 1)
            number = int(n >= first)
            stamp = (ns + (0 if out else 700)) // 10**(9 - exponents[number])
            data = bytes(12) + b"\x08\0" + packet
            size = 32 + len(data) + -len(data) % 4 + 12
            blocks.append(struct.pack("<IIIIIII", 6, size, number, stamp >> 32, stamp & 0xFFFFFFFF, len(data), len(data)) +
                          data + bytes(-len(data) % 4) + struct.pack("<HHIHHI", 2, 4, 2 if out else 1, 0, 0, size))
        with open(os.path.join(temp, "a.pcapng"), "wb") as f:
            f.write(b"".join(blocks))
        peer.write(os.path.join(temp, "b.pcap"), 2, random.Random(1))
        return run(cellsync, os.path.join(temp, "a.pcapng"), os.path.join(temp, "b.pcap")).stdout

    text = captures((9, 3), 38)  # the last packets of a host
    assert "rounded to 1 ms, like the timestamps of a" in text, text
    text = captures((9, 3), 40)  # no packet has the coarse unit
    assert "rounded to 1 ns;" in text, text
    text = captures((6, 6), 0, 2)  # two packets of a host
    assert "rounded to 1 us, like the timestamps of a" in text, text
    print("units: the premise is the coarsest one that occurs")


# --- Outputs -----------------------------------------------------------------------------------------

def test_outputs(cellsync, testdata, temp):
    for name in ("lan", "wan", "three"):
        files, _, _, _ = recorded(os.path.join(testdata, "pcap", name))
        folder, merged = os.path.join(temp, name), os.path.join(temp, name + ".pcapng")
        run(cellsync, *files.values(), "-o", folder + "/")
        run(cellsync, *files.values(), "-o", merged)
        count = 0
        for host, path in files.items():
            old, new = read(path), read(os.path.join(folder, os.path.basename(path)))
            assert len(old) == len(new)
            same = bytearray(old)
            for (_, at, _, _), (_, now, _, _) in zip(packets(old), packets(new)):
                assert at == now
                same[at:at + 8] = new[at:at + 8]
                count += 1
            differ = [i for i in range(len(old)) if same[i] != new[i]]
            assert not differ or name == "three" and max(differ) - min(differ) < 100, (host, differ[:3])  # statistics
        rows = list(packets(read(merged)))
        assert len(rows) == count
        assert all(x[2] <= y[2] for x, y in zip(rows, rows[1:])), "not in the order of time"
        by_host = {h: [] for h in files}
        for _, _, ns, interface in rows:
            by_host[list(files)[interface]].append(ns)  # only true if interfaces come in the order of the files
        if PEERS["capinfos"]:
            text = run("capinfos", merged).stdout
            assert f"Number of packets:   {count}" in text and "the reference; its timestamps are unchanged" in text, text
            assert "off by at most" in text
        if PEERS["tshark"]:
            done = run("tshark", "-n", "-r", merged, "-T", "fields", "-e", "frame.time_epoch")
            assert [round(Fraction(t) * SECOND) for t in done.stdout.split()] == [row[2] for row in rows]
        for path in files.values() if PEERS["tcpdump"] else []:
            out = os.path.join(folder, os.path.basename(path))
            texts = [run("tcpdump", "-nn", "-tt", "--nano", "-r", p).stdout.splitlines() for p in (path, out)]
            assert [line.split(" ", 1)[1] for line in texts[0]] == [line.split(" ", 1)[1] for line in texts[1]]
            times = [round(Fraction(line.split()[0]) * SECOND) for line in texts[1]]
            assert times == [ns for _, _, ns, _ in packets(read(out))]  # libpcap reads the same times


def main():
    cellsync, cellstat, testdata = sys.argv[1:4]
    trials = int(sys.argv[4]) if len(sys.argv) > 4 else 25
    seed = int(sys.argv[5]) if len(sys.argv) > 5 else 1
    with tempfile.TemporaryDirectory() as temp:
        test_recordings(cellsync, testdata, temp)
        test_simulations(cellsync, trials, seed, temp)
        test_control(cellsync, temp)
        test_two_clocks(cellsync, temp)
        test_bursts(cellsync, temp)
        test_routers(cellsync, temp)
        test_segments(cellsync, temp)
        test_translation(cellsync, temp)
        test_directions(cellsync, cellstat, temp)
        test_gaps(cellsync, temp)
        test_units(cellsync, temp)
        test_outputs(cellsync, testdata, temp)
    missing = [name for name, path in PEERS.items() if not path]
    if missing:
        print("SKIPPED: reading the outputs by " + ", ".join(missing) + ", which are not installed")


if __name__ == "__main__":
    main()
