#!/usr/bin/env python3
"""pcap.py FOLDER [NAME...]: record packets of several hosts, move their clocks, and write captures and truth.

Each host is a network namespace of this machine, so the kernel's clock is the truth for all of them. tcpdump and
dumpcap record; then the timestamps of each host are moved by a known function. FOLDER/NAME/ gets the captures, and
truth.csv.gz with the moves, and the true time of each packet, in ns: host, number of the packet in its file, true time.
A move is the offset in s, the rate in ppm, its wander in ppm, the period of the wander in s, a step in s, and when it
was, in s after start_ns; see Clock.shows.
Needs root, ethtool, iproute2, tcpdump, and dumpcap (Debian: wireshark-common).
"""
import csv
import gzip
import heapq
import io
import math
import os
import random
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

SECOND = 10**9


def run(*command):
    subprocess.run(command, check=True)


def inside(host, *command, **more):
    return subprocess.Popen(["ip", "netns", "exec", host, *command], **more)


class Network:
    """Namespaces that are removed at the end."""

    def __init__(self, hosts):
        self.hosts = hosts

    def __enter__(self):
        for host in self.hosts:
            run("ip", "netns", "add", host)
            run("ip", "-n", host, "link", "set", "dev", "lo", "up")
        return self

    def __exit__(self, *_):
        for host in self.hosts:
            subprocess.run(["ip", "netns", "del", host], check=False)

    def wire(self, a, a_if, b, b_if):
        run("ip", "link", "add", a_if, "netns", a, "type", "veth", "peer", "name", b_if, "netns", b)
        for host, name in ((a, a_if), (b, b_if)):
            run("ip", "-n", host, "link", "set", "dev", name, "up")
            # A forwarder sees packets as they are: with their checksums, and not longer than the cable allows.
            run("ip", "netns", "exec", host, "ethtool", "-K", name, "tx", "off", "gso", "off", "tso", "off")

    def address(self, host, name, *addresses):
        for address in addresses:
            run("ip", "-n", host, "addr", "add", address, "dev", name, *(["nodad"] if ":" in address else []))


# --- What the hosts do: this script again, inside a namespace -------------------------------------

def serve(address):
    """Answer HTTP-like requests on TCP 8080 and echo UDP 5353."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind((address, 8080))
    listening.listen(64)

    def one(client):
        while True:
            request = client.recv(4096)
            if not request:
                return
            client.sendall(b"x" * int(request))

    def accept():
        while True:
            threading.Thread(target=one, args=(listening.accept()[0],), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    echo = socket.socket(family, socket.SOCK_DGRAM)
    echo.bind((address, 5353))
    while True:
        data, peer = echo.recvfrom(2048)
        echo.sendto(b"r" + data, peer)


def ask(address, seconds, seed):
    """Send requests of random sizes at random moments."""
    r = random.Random(seed)
    end = time.monotonic() + seconds
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    udp = socket.socket(family, socket.SOCK_DGRAM)
    udp.settimeout(0.2)
    tcp, n = None, 0
    while time.monotonic() < end:
        if tcp is None:
            tcp, asked = socket.create_connection((address, 8080), timeout=5), 0
        size = r.choice([10, 200, 1500, 9000])
        tcp.sendall(b"%d" % size)
        while size > 0:
            size -= len(tcp.recv(65536))
        n += 1
        asked += 1
        if asked > 10:
            tcp.close()
            tcp = None
        try:
            udp.sendto(b"q%d" % n, (address, 5353))
            udp.recvfrom(2048)
        except TimeoutError:
            pass
        time.sleep(r.expovariate(1 / 0.03))


def forward(first, second, delays_us, jitter_us, loss, seconds):
    """Pass frames between two interfaces, with a delay for each direction, jitter, and loss."""
    r = random.Random(7)
    end = time.monotonic() + seconds
    sockets, last, due = [], [0, 0], []
    for name in (first, second):
        s = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
        s.bind((name, 0))
        s.setblocking(False)
        sockets.append(s)
    n = 0
    while time.monotonic() < end:
        while due and due[0][0] <= time.monotonic():
            _, _, to, frame = heapq.heappop(due)
            sockets[to].send(frame)
        wait = min(0.05, max(0, due[0][0] - time.monotonic())) if due else 0.05
        for s in select.select(sockets, [], [], wait if wait > 0.0002 else 0)[0]:
            side = sockets.index(s)
            try:
                frame, origin = s.recvfrom(65536)
            except BlockingIOError:
                continue
            if origin[2] == 4 or r.random() < loss:  # sent by this host
                continue
            n += 1
            at = time.monotonic() + delays_us[side] * 1e-6 + r.expovariate(1e6 / jitter_us)
            last[side] = max(at, last[side])
            heapq.heappush(due, (last[side], n, 1 - side, frame))


# --- Moving clocks ---------------------------------------------------------------------------------

class Clock:
    """What a host's clock shows: an offset, a rate, a rate that wanders by a sine, and one step."""

    def __init__(self, offset_s=0.0, ppm=0.0, wander_ppm=0.0, period_s=3.0, step_s=0.0, step_at_s=0.0):
        self.offset, self.ppm, self.wander, self.period = offset_s, ppm, wander_ppm, period_s
        self.step, self.step_at = step_s, step_at_s

    def shows(self, ns, start_ns):
        s = (ns - start_ns) / SECOND
        moved = self.offset + self.ppm * 1e-6 * s
        moved += self.wander * 1e-6 * self.period / (2 * math.pi) * (1 - math.cos(2 * math.pi * s / self.period))
        if s >= self.step_at:
            moved += self.step
        return ns + round(moved * SECOND)


def move_pcap(data, clock, start, unit, big):
    """A pcap with ns becomes one with other timestamps, in units of `unit` ns."""
    assert data[:4] == b"\x4d\x3c\xb2\xa1", "want pcap with ns"
    order = ">" if big else "<"
    fields = list(struct.unpack_from("<HHiIII", data, 4))
    out = [struct.pack(order + "IHHiIII", 0xA1B23C4D if unit == 1 else 0xA1B2C3D4, *fields)]
    true, at = [], 24
    while at + 16 <= len(data):
        s, ns, captured, length = struct.unpack_from("<IIII", data, at)
        true.append(s * SECOND + ns)
        local = clock.shows(true[-1], start)
        out.append(struct.pack(order + "IIII", local // SECOND, local % SECOND // unit, captured, length))
        out.append(data[at + 16:at + 16 + captured])
        at += 16 + captured
    return b"".join(out), true


def move_pcapng(data, clock, start):
    """A pcapng of dumpcap in ns with other timestamps. Its statistics are in microseconds, in spite of the unit."""
    out, true, at = bytearray(data), [], 0
    while at + 12 <= len(data):
        kind, size = struct.unpack_from("<II", data, at)
        unit = {5: 1000, 6: 1}.get(kind)
        for stamp in [at + 12] if unit else []:
            high, low = struct.unpack_from("<II", data, stamp)
            ns = (high << 32 | low) * unit
            assert abs(ns - start) < 3600 * SECOND, "want timestamps in ns"
            if kind == 6:
                true.append(ns)
            local = clock.shows(ns, start) // unit
            struct.pack_into("<II", out, stamp, local >> 32, local & 0xFFFFFFFF)
        at += size
    return bytes(out), true


def write(folder, captures, clocks, start):
    """captures: host -> (file, bytes, how).  Write moved captures and the truth."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    rows = io.StringIO()
    rows.write(f"# start_ns {start}\n")
    for host, c in clocks.items():
        rows.write(f"# clock {host} {c.offset} {c.ppm} {c.wander} {c.period} {c.step} {c.step_at}\n")
    writer = csv.writer(rows, lineterminator="\n")
    writer.writerow(["host", "packet", "true_ns"])
    for host, (name, data, how) in captures.items():
        moved, true = how(data, clocks[host], start)
        with open(os.path.join(folder, name), "wb") as f:
            f.write(moved)
        for i, ns in enumerate(true):
            writer.writerow([host, i, ns])
        print(f"{folder}/{name}: {len(true)} packets, {len(moved)} bytes")
    with open(os.path.join(folder, "truth.csv.gz"), "wb") as f:
        f.write(gzip.compress(rows.getvalue().encode(), mtime=0))


class Recorder:
    """tcpdump or dumpcap in a namespace."""

    def __init__(self, host, tool, interface, path):
        self.path = path
        command = {"tcpdump": ["tcpdump", "-i", interface, "-s", "96", "-j", "host",
                               "--time-stamp-precision=nano", "-w", path],
                   "dumpcap": ["dumpcap", "-q", "-i", interface, "-s", "96", "-w", path]}[tool]
        self.process = inside(host, *command, stderr=subprocess.DEVNULL)

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait()
        with open(self.path, "rb") as f:
            return f.read()


def play(recorders, servers, clients, others=()):
    """Run recorders, servers, and clients; return the captures."""
    time.sleep(1.0)
    running = [inside(host, sys.executable, __file__, "--serve", address) for host, address in servers]
    running += others
    time.sleep(0.7)
    asking = [inside(host, sys.executable, __file__, "--ask", *map(str, rest)) for host, *rest in clients]
    for process in asking:
        process.wait()
    time.sleep(0.3)
    data = {host: recorder.stop() for host, recorder in recorders.items()}
    for process in running:
        process.kill()
        process.wait()
    return data


def us(data, clock, start):
    return move_pcap(data, clock, start, 1000, False)


def ns_big(data, clock, start):
    return move_pcap(data, clock, start, 1, True)


def ns_little(data, clock, start):
    return move_pcap(data, clock, start, 1, False)


# --- The recordings ------------------------------------------------------------------------------

def lan(temp):
    """Two hosts on a cable; nothing in the captures says who sent a packet."""
    with Network(["cs-a", "cs-b"]) as net:
        net.wire("cs-a", "ea", "cs-b", "eb")
        net.address("cs-a", "ea", "10.78.0.1/24")
        net.address("cs-b", "eb", "10.78.0.2/24")
        recorders = {"a": Recorder("cs-a", "tcpdump", "ea", temp + "/a"),
                     "b": Recorder("cs-b", "tcpdump", "eb", temp + "/b")}
        data = play(recorders, [("cs-b", "10.78.0.2")], [("cs-a", "10.78.0.2", 4, 1)])
    return ({"a": ("a.pcap", data["a"], ns_little), "b": ("b.pcap", data["b"], ns_big)},
            {"a": Clock(), "b": Clock(5.25, 40, 3)})


def wan(temp):
    """Two hosts behind a slow line: 2 ms there, 0.5 ms back, and 1 % of the packets are lost."""
    with Network(["cs-a", "cs-m", "cs-b"]) as net:
        net.wire("cs-a", "ea", "cs-m", "ma")
        net.wire("cs-b", "eb", "cs-m", "mb")
        net.address("cs-a", "ea", "10.77.0.1/24")
        net.address("cs-b", "eb", "10.77.0.2/24")
        line = inside("cs-m", sys.executable, __file__, "--forward", "ma", "mb", "2000", "500", "150", "0.01", "30")
        recorders = {"a": Recorder("cs-a", "tcpdump", "any", temp + "/a"),
                     "b": Recorder("cs-b", "tcpdump", "any", temp + "/b")}
        data = play(recorders, [("cs-b", "10.77.0.2")], [("cs-a", "10.77.0.2", 6, 2)], [line])
    return ({"a": ("a.pcap", data["a"], us), "b": ("b.pcap", data["b"], ns_little)},
            {"a": Clock(-3600, -25), "b": Clock(0.75, 40, 3)})


def three(temp):
    """Three hosts on a switch, with IPv6; the clock of c is set by 2 s in between."""
    with Network(["cs-s", "cs-a", "cs-b", "cs-c"]) as net:
        run("ip", "-n", "cs-s", "link", "add", "br0", "type", "bridge")
        run("ip", "-n", "cs-s", "link", "set", "dev", "br0", "up")
        for i, host in enumerate("abc", 1):
            net.wire("cs-" + host, "e" + host, "cs-s", "s" + host)
            run("ip", "-n", "cs-s", "link", "set", "dev", "s" + host, "master", "br0")
            net.address("cs-" + host, "e" + host, f"10.79.0.{i}/24", f"fd79::{i}/64")
        recorders = {h: Recorder("cs-" + h, "dumpcap", "e" + h, temp + "/" + h) for h in "abc"}
        data = play(recorders, [("cs-b", "10.79.0.2"), ("cs-c", "fd79::3")],
                    [("cs-a", "10.79.0.2", 1.7, 3), ("cs-b", "fd79::3", 1.7, 4), ("cs-a", "fd79::3", 1.7, 5)])
    return ({h: (h + ".pcapng", data[h], move_pcapng) for h in "abc"},
            {"a": Clock(), "b": Clock(-1.5, 30, 2), "c": Clock(86400, -20, 2, step_s=2.0, step_at_s=3.2)})


def main():
    if len(sys.argv) > 2 and sys.argv[1] == "--serve":
        serve(sys.argv[2])
    elif len(sys.argv) > 4 and sys.argv[1] == "--ask":
        ask(sys.argv[2], float(sys.argv[3]), int(sys.argv[4]))
    elif len(sys.argv) > 8 and sys.argv[1] == "--forward":
        first, second, there, back, jitter, loss, seconds = sys.argv[2:]
        forward(first, second, [float(there), float(back)], float(jitter), float(loss), float(seconds))
    else:
        if len(sys.argv) < 2:
            sys.exit(__doc__)
        for recording in (lan, wan, three):
            if len(sys.argv) > 2 and recording.__name__ not in sys.argv[2:]:
                continue
            with tempfile.TemporaryDirectory() as temp:
                os.chmod(temp, 0o777)
                start = time.time_ns()
                captures, clocks = recording(temp)
                write(os.path.join(sys.argv[1], recording.__name__), captures, clocks, start)


if __name__ == "__main__":
    main()
