#!/usr/bin/env python3
"""Writes the logs of several clocks that cellsync-recipes(7) converts, and the truth about these clocks, truth.txt.

Usage: make.py FOLDER     The same files each time.

No log is made by cellsync, and no time below is computed from its output: each event happens at a time that is drawn
here, and each host reads it with a clock of a known offset and rate.  A row of truth.txt says that at time t (ns from
the start) the clock of this recipe shows start_ns + t + offset_ns + t * ppb / 10^9, rounded down.
"""
import datetime
import json
import pathlib
import random
import sqlite3
import struct
import sys

RANDOM = random.Random(2026)
START = 1777636800 * 10**9  # 2026-05-01T12:00:00Z
US, MS, SECOND = 10**3, 10**6, 10**9
TRUTH = []


def clock(recipe, name, offset, ppb, start=START):
    """A function from true time to the reading of a clock, both in ns."""
    TRUTH.append((recipe, name, start, offset, ppb))
    return lambda t: start + t + offset + t * ppb // 10**9


def delay(least, most):
    """A time that is near its least value most often, as on a network."""
    return least + int((most - least) * RANDOM.random() ** 4)


def date(ns, form="%Y-%m-%dT%H:%M:%S"):
    return datetime.datetime.fromtimestamp(ns // SECOND, datetime.timezone.utc).strftime(form)


def journal(folder):
    """journalctl -o json of a web server and its database; a journal reads its own clock when a line arrives."""
    hosts = {"web": (clock("journal", "web", 0, -9000), []), "db": (clock("journal", "db", 3250 * MS, 14000), [])}

    def line(host, t, text):
        read, lines = hosts[host]
        lines.append({"__REALTIME_TIMESTAMP": str(read(t + delay(20 * US, 400 * US)) // US),
                      "_SOURCE_REALTIME_TIMESTAMP": str(read(t) // US), "_HOSTNAME": host,
                      "SYSLOG_IDENTIFIER": host + "d", "MESSAGE": text})

    for n in range(24):
        t = n * 2500 * MS + RANDOM.randrange(SECOND)
        name = f"{RANDOM.randrange(2**32):08x}"
        line("web", t, f"request {name} send GET /item/{n}")
        t += delay(180 * US, 900 * US)
        line("db", t, f"request {name} got")
        line("db", t + 20 * US, f"cache miss {n}")
        t += delay(100 * US, 5 * MS)
        line("db", t, f"request {name} reply")
        t += delay(180 * US, 900 * US)
        line("web", t, f"request {name} done 200")
    for host, (_, lines) in hosts.items():
        (folder / f"{host}.json").write_text("".join(json.dumps(each) + "\n" for each in lines))


def ntp(folder):
    """rawstats of ntpd.  Timestamps count from 1900, and have a random fraction of 2^-22 s added."""
    near, far = clock("ntp", "192.168.1.5", -820 * US, 6000), clock("ntp", "192.168.1.1", 0, 100)

    def stamp(read, t):
        ns = read(t) + RANDOM.randrange(238)
        return f"{ns // SECOND + 2208988800}.{ns % SECOND:09}"

    with open(folder / "rawstats", "w", encoding="ascii") as file:
        for n in range(20):
            t = [n * 64 * SECOND + RANDOM.randrange(SECOND)]
            for step in (delay(210 * US, 2 * MS), delay(15 * US, 60 * US), delay(210 * US, 2 * MS)):
                t.append(t[-1] + step)
            four = [stamp(read, each) for read, each in zip((near, far, far, near), t)]
            print(61161, f"{43200 + t[3] / SECOND:.3f}", "192.168.1.1 192.168.1.5", *four,
                  "0 4 4 1 6 -22 0.000000 0.000320 .PPS.", file=file)
            print(61161, f"{43200 + t[3] / SECOND:.3f}", "192.168.1.5 192.168.1.7", four[0], four[0], four[0], four[0],
                  "0 4 3 2 6 -22 0.000210 0.000520 192.168.1.1", file=file)


def chrony(folder):
    """tracking.log of two hosts that chronyd steers; the last number is the greatest error since the last line."""
    clock("chrony", "UTC", 0, 0)
    for host, offset, ppb, most in ("alpha", 900 * US, 300, 8.3e-3), ("beta", -2100 * US, -700, 5.9e-3):
        read = clock("chrony", host, offset, ppb)
        with open(folder / f"{host}.log", "w", encoding="ascii") as file:
            print("=" * 60, "\n   Date (UTC) Time     IP Address   St   Freq ppm   Skew ppm     Offset L Co  Offset sd "
                  "Rem. corr. Root delay Root disp. Max. error\n", "=" * 60, sep="", file=file)
            for n in range(1, 20):
                now = read(n * 64 * SECOND + RANDOM.randrange(SECOND))
                print(date(now, "%Y-%m-%d %H:%M:%S"), f"203.0.113.15     2     -3.541      0.075 {-1e-5 * RANDOM.random():.3e}"
                      f" N  2  {2e-5 * RANDOM.random():.3e} {1e-6 * RANDOM.random():.3e}  1.534e-02  3.472e-04"
                      f"  {most * (1 + 0.1 * RANDOM.random()):.3e}", file=file)


def offsets(folder):
    """Lines of a loop of ssh HOST date: own time, host, time of the host, own time."""
    here = clock("offsets", "here", 0, 2000)
    others = {"b": clock("offsets", "b", -41 * SECOND, -15000), "c": clock("offsets", "c", 77 * MS, 23000)}
    with open(folder / "dates.txt", "w", encoding="ascii") as file:
        for n in range(12):
            for host, read in others.items():
                t = n * 10 * SECOND + RANDOM.randrange(SECOND)
                times = (here(t), read(t + delay(6 * MS, 40 * MS)), here(t + delay(46 * MS, 90 * MS)))
                first, middle, last = (f"{date(each)}.{each % SECOND:09}Z" for each in times)
                print(first, host, middle, last, file=file)


def loggers(folder):
    """Two loggers that poll a trigger line and number the pulses."""
    pulses = [n * 3 * SECOND + RANDOM.randrange(SECOND) for n in range(16)]
    for name, offset, ppb, poll in ("left", 12 * SECOND, 30000, 2 * MS), ("right", 40 * SECOND, -25000, 10 * MS):
        read = clock("loggers", name, offset, ppb, 0)
        with open(folder / f"{name}.txt", "w", encoding="ascii") as file:
            print(f"# poll {poll / SECOND}", file=file)
            for n, pulse in enumerate(pulses):
                print(f"{read(pulse + RANDOM.randrange(poll)) / SECOND:.6f} TRIG {n + 17}", file=file)


def guest(folder):
    """trace-cmd report of a host, and a program in its guest that writes a number to an unused port."""
    host, inside = clock("guest", "host", 5123 * SECOND, 0, 0), clock("guest", "guest", 17 * SECOND, 1500, 0)
    with open(folder / "host.txt", "w", encoding="ascii") as out, open(folder / "guest.txt", "w", encoding="ascii") as into:
        print("cpus=8", file=out)

        def line(t, text):
            ns = host(t)
            print(f"       CPU 0/KVM-2101  [003]  {ns // SECOND}.{ns % SECOND:09}: {text}", file=out)

        for n in range(20):
            t = n * 500 * MS + RANDOM.randrange(100 * MS)
            before = inside(t)
            t += delay(US, 9 * US)
            line(t, f"kvm_pio:              pio_write at 0x5658 size 4 count 1 val {n + 160:#x} ")
            t += delay(US, 20 * US)
            line(t, "kvm_entry:            vcpu 0, rip 0xffffffff81050a3e")
            after = inside(t + delay(US, 30 * US))
            print(f"probe {n + 160:#x} {before // SECOND}.{before % SECOND:09} {after // SECOND}.{after % SECOND:09}", file=into)
            line(t + 200 * US, "kvm_exit:             reason HLT rip 0xffffffff8104f6b0 info 0 0")


def ros(folder):
    """rosbag2 files of two hosts, each with the topics of both; a message begins with a std_msgs/Header."""
    reads = {"robot": clock("ros", "robot", -640 * MS, -12000), "base": clock("ros", "base", 0, 7000)}
    bags = {}
    for host in reads:
        path = folder / f"{host}.db3"
        path.unlink(missing_ok=True)
        bags[host] = sqlite3.connect(path)
        bags[host].executescript(
            "pragma page_size = 1024; create table topics(id integer primary key, name text not null, type text not null, "
            "serialization_format text not null, offered_qos_profiles text not null);"
            "create table messages(id integer primary key, topic_id integer not null, timestamp integer not null, data blob not null);"
            "insert into topics values(1, '/robot/pose', 'geometry_msgs/msg/PoseStamped', 'cdr', '');"
            "insert into topics values(2, '/base/goal', 'geometry_msgs/msg/PoseStamped', 'cdr', '');")
    for n in range(40):
        t = n * 250 * MS + RANDOM.randrange(100 * MS)
        topic, sender = ((1, "robot"), (2, "base"))[n % 2]
        made = reads[sender](t)
        data = struct.pack("<4B iI I 4s 7d", 0, 1, 0, 0, made // SECOND, made % SECOND, 4, b"map\0", *[n / 7] * 7)
        for host, bag in bags.items():
            later = delay(150 * US, 4 * MS) if host == sender else delay(900 * US, 15 * MS)
            bag.execute("insert into messages values(null, ?, ?, ?)", (topic, reads[host](t + later), data))
    for bag in bags.values():
        bag.commit()
        bag.close()


def projections(folder):
    """Logs of two processors of a Charm++ program, in microseconds from the start of each."""
    reads = [clock("projections", "pe0", 40 * MS, 0, 0), clock("projections", "pe1", 1700 * MS, -18000, 0)]
    logs = [["PROJECTIONS-RECORD 0", "6 0"], ["PROJECTIONS-RECORD 0", "6 0"]]
    last, event = [0, 0], [0, 0]
    for n in range(30):
        source, t = n % 2, n * 20 * MS + RANDOM.randrange(MS)
        kind = 20 if n == 7 else 1
        logs[source].append(f"{kind} 2 31 {reads[source](t) // US} {event[source]} {source} 96 0" + " 2" * (kind == 20))
        name, event[source] = event[source], event[source] + 1
        for pe in ([0, 1] if kind == 20 else [1 - source]):
            begin = max(t + delay(4 * US, 90 * US), last[pe] + 2 * US)
            last[pe] = begin + delay(10 * US, 400 * US)
            logs[pe].append(f"2 2 31 {reads[pe](begin) // US} {name} {source} 96 0 0 0 0 0 0 0")
            logs[pe].append(f"3 2 31 {reads[pe](last[pe]) // US} {name} {source} 96 0 0")
    for pe, lines in enumerate(logs):
        (folder / f"heat.{pe}.log").write_text("\n".join(lines) + f"\n7 {reads[pe](SECOND) // US}\n")


def candump(folder):
    """candump -L of two nodes on one bus: 123 asks with a counter, 456 answers with it."""
    nodes = {"tester": (clock("candump", "tester", 0, 20000), []), "ecu": (clock("candump", "ecu", 1530 * MS, -31000), [])}

    def frame(t, text):
        for read, lines in nodes.values():
            us = read(t + delay(6 * US, 60 * US)) // US
            lines.append(f"({us // 10**6}.{us % 10**6:06}) can0 {text}")

    t = 0
    for n in range(60):
        t += delay(300 * US, 4 * MS)
        frame(t, f"123#{n + 4096:08X}2A36")
        t += 400 * US
        frame(t, f"0F1#{RANDOM.randrange(2**32):08X}")
        t += delay(300 * US, 6 * MS)
        frame(t, f"456#{n + 4096:08X}00")
    for node, (_, lines) in nodes.items():
        (folder / f"{node}.can").write_text("\n".join(lines) + "\n")


def main(folder):
    for recipe in (journal, ntp, chrony, offsets, loggers, guest, ros, projections, candump):
        recipe(folder)
    rows = [",".join(map(str, row)) for row in TRUTH]
    (folder / "truth.txt").write_text("\n".join(["recipe,clock,start_ns,offset_ns,ppb", *rows]) + "\n")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
