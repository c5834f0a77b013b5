#!/usr/bin/env python3
"""Random MPI programs in OTF2 archives, against the oracle of otf2_order.py and against the truth.

Usage: otf2_match_test.py CELLSYNC OTF2GEN [--seeds=N] [--first=SEED]

Ranks of several threads and accelerators, whose clocks are off by what was drawn, run as MPI does: messages go to
the first receive that was posted and takes them; wildcards, persistent requests, cancelled ones, completions that
the recorder missed, or that another thread made, operations with members that the recorder left out.
"""
import argparse
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from otf2_order import INF, NO_GROUP, ROOTED, Archive, Order

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "oracle"))
import started  # noqa: E402

ANY = None
PER = ["node", "process", "location"]


class Program:
    """plain: a thread a process, and steps may be many; late: that often a stamp is taken too late; operations: that
    many to a message, or None: none; gain: by so much clocks run fast or slow; funnel: of the threads of a process only
    the first one says something."""

    def __init__(self, rng, plain=False, steps=70, late=0, operations=0, gain=0, funnel=False):
        self.rng, self.now, self.ids, self.late, self.gain, self.funnel = rng, 5000, 0, late, gain, funnel
        self.ranks = rng.randint(2, 4)
        self.threads = [1 if plain and not funnel else rng.choice([1, 1, 2, 3]) for _ in range(self.ranks)]
        self.truth = rng.choice(PER)                        # what has a clock
        self.lossy, self.elsewhere, self.differs = (rng.random() < p for p in (0.2, 0.2, 0.15))
        self.agree = self.blocking = self.apart = False
        self.define()
        self.posted = [[] for _ in range(self.ranks)]
        self.unexpected = [[] for _ in range(self.ranks)]
        self.ready, self.requests, self.sending, self.operations = [], [], [], []
        self.silent = {rng.randrange(self.ranks): rng.randint(0, 60)} if rng.random() < 0.3 else {}
        actions = [self.send] * 6 + [self.post] * 3 + [self.receive] * 3 + [self.complete] * 5 + [self.cancel] + \
            [self.start] * 2 + [self.operation] + [self.end_operation, self.other]
        if operations is None:
            actions = [a for a in actions if a not in (self.operation, self.end_operation)]
            self.lossy, self.apart = self.lossy and rng.random() < 0.1, rng.random() < 0.9
        elif operations:
            self.ranks_agree()
            actions = [self.operation] * operations + [self.send, self.receive, self.end_operation]
        for self.step in range(rng.randint(10, steps)):
            rng.choice(actions)()
        for _ in range(rng.randint(0, 9)):
            self.complete()
        while self.operations and rng.random() < 0.9:
            self.end_operation()

    def define(self):
        rng = self.rng
        nodes = rng.randint(1, 2)
        self.lines = ["resolution 1000000000", "node 9 machine all"]
        for n in range(nodes):
            self.lines += [f"node {2 * n} node n{n} 9", f"node {2 * n + 1} device gpus{n} {2 * n}"]
        node_of = [r % nodes for r in range(self.ranks)]
        self.lines += [f"process {r} {2 * node_of[r]} Rank%20{r}" for r in range(self.ranks)]
        self.locations = {}                                 # by (rank, thread)
        groups = []
        for r in range(self.ranks):
            for t in range(self.threads[r]):
                self.locations[r, t] = 100 * r + t
                groups.append((100 * r + t, r, f"R{r}.{t}"))
        self.accelerators = []
        for r in range(self.ranks):
            if rng.random() < 0.3:
                creator = rng.choice([str(r), NO_GROUP])
                self.lines.append(f"accelerator {50 + r} {creator} {2 * node_of[r] + 1} GPU%20{r}")
                groups.append((900 + r, 50 + r, f"G{r}"))
                self.accelerators.append(900 + r)
        rng.shuffle(groups)
        self.lines += [f"location {i} {group} {name}" for i, group, name in groups]
        self.lines += ["region 0 main", "world " + " ".join(str(100 * r) for r in range(self.ranks))]
        self.comms = [list(range(self.ranks))]
        self.comms += [rng.sample(range(self.ranks), rng.randint(2, self.ranks)) for _ in range(rng.randint(0, 2))]
        self.lines += [f"comm {i} C{i} " + " ".join(map(str, comm)) for i, comm in enumerate(self.comms)]
        self.archive = Archive(self.lines)
        self.clocks = {str(i): self.archive.clock_of(str(i), self.truth) for i, _, _ in groups}
        self.offsets = {clock: rng.randint(-900, 900) for clock in sorted(set(self.clocks.values()))}
        self.gains = {clock: 1 + rng.uniform(-self.gain, self.gain) for clock in self.offsets} if self.gain else {}
        self.events = {str(i): [] for i, _, _ in groups}
        self.least = dict.fromkeys(self.events, 0)          # of the next stamp
        self.collects = {(c, r): self.thread(r) for c, comm in enumerate(self.comms) for r in comm}

    def ranks_agree(self):
        """Operations have all of their members, but for ranks that have none; most wait, someone gives something, and
        no two stamps are taken at once: it is not known which of two operations at one tick was first."""
        self.differs, self.agree = False, True
        self.blocking = self.rng.random() < 0.8
        self.silent = {rank: -1 for rank in self.silent}

    def thread(self, rank):
        return str(self.locations[rank, 0 if self.funnel else self.rng.randrange(self.threads[rank])])

    def emit(self, location, text):
        self.now += self.rng.choice([0, 1, 1, 2, 5, 30]) or self.agree
        clock = self.clocks[location]
        stamp = max(self.least[location], int(self.now * self.gains.get(clock, 1)) + self.offsets[clock])
        stamp += self.rng.randint(1, 90) if self.rng.random() < self.late else 0
        self.least[location] = stamp + self.apart
        self.events[location].append(f"{stamp} {text}")

    # -- messages

    def send(self):
        rng = self.rng
        c = rng.randrange(len(self.comms))
        comm = self.comms[c]
        source, target = rng.choice(comm), rng.choice(comm)
        tag, location = rng.choice([1, 1, 1, 2]), self.thread(source)
        message = {"key": (c, comm.index(source), comm.index(target), tag), "to": target}
        peer = comm.index(target)
        if rng.random() < 0.5:
            self.emit(location, f"send {c} {peer} {tag}")
        else:
            self.ids += 1
            self.emit(location, f"isend {c} {peer} {tag} {self.ids}")
            self.sending.append((location, self.ids, message))
        for post in self.posted[target]:
            if takes(post, message):
                self.posted[target].remove(post)
                self.ready.append((post, message))
                return
        self.unexpected[target].append(message)

    def pattern(self, rank):
        rng = self.rng
        c = rng.choice([i for i, comm in enumerate(self.comms) if rank in comm])
        return {"comm": c, "from": rng.choice([ANY] + list(range(len(self.comms[c])))), "tag": rng.choice([ANY, 1, 2]),
                "rank": rank, "at": self.thread(rank)}

    def listen(self, post):
        """A receive begins: the first message that came and that it takes is its own."""
        for message in self.unexpected[post["rank"]]:
            if takes(post, message):
                self.unexpected[post["rank"]].remove(message)
                self.ready.append((post, message))
                return
        self.posted[post["rank"]].append(post)

    def post(self):
        self.ids += 1
        post = {**self.pattern(self.rng.randrange(self.ranks)), "id": self.ids, "persistent": self.rng.random() < 0.3}
        self.emit(post["at"], f"post {self.ids}")
        self.listen(post)

    def start(self):
        """Persistent requests that are done begin anew, by the same number."""
        if self.requests:
            post = self.requests.pop(self.rng.randrange(len(self.requests)))
            self.emit(post["at"], f"post {post['id']}")
            self.listen(post)

    def receive(self):
        """One that waits."""
        post = self.pattern(self.rng.randrange(self.ranks))
        for message in self.unexpected[post["rank"]]:
            if takes(post, message):
                self.unexpected[post["rank"]].remove(message)
                c, source, _, tag = message["key"]
                self.emit(post["at"], f"recv {c} {source} {tag}")
                return

    def complete(self):
        if not self.ready:
            return
        post, message = self.ready.pop(self.rng.randrange(len(self.ready)))
        c, source, _, tag = message["key"]
        at = self.thread(post["rank"]) if self.elsewhere and self.rng.random() < 0.3 else post["at"]
        if not (self.lossy and self.rng.random() < 0.2):
            self.emit(at, f"irecv {c} {source} {tag} {post['id']}")
        if post["persistent"]:
            self.requests.append(post)

    def cancel(self):
        """A receive, or a send that no receive took."""
        rank = self.rng.randrange(self.ranks)
        if self.posted[rank] and self.rng.random() < 0.8:
            post = self.posted[rank].pop(self.rng.randrange(len(self.posted[rank])))
            self.emit(post["at"], f"cancel {post['id']}")
            if post["persistent"]:
                self.requests.append(post)
        elif self.sending:
            location, request, message = self.sending.pop()
            if message in self.unexpected[message["to"]]:
                self.unexpected[message["to"]].remove(message)
                self.emit(location, f"cancel {request}")
            else:
                self.emit(location, f"isendcomplete {request}")

    # -- operations

    def operation(self):
        rng = self.rng
        c, kind = rng.randrange(len(self.comms)), rng.randrange(17)
        comm = self.comms[c]
        root = rng.randrange(len(comm)) if kind in ROOTED else -1
        waits, tail = self.blocking or rng.random() < 0.5, {}
        for rank in rng.sample(comm, len(comm)):
            if self.silent.get(rank, self.step) < self.step:
                continue
            nothing = 0 if self.agree and (kind in ROOTED or not tail) else 0.1
            given, got = (0 if kind == 0 or rng.random() < nothing else 8 for _ in range(2))
            other = self.differs and rng.random() < 0.2
            tail[rank] = f"{(kind + 1) % 17 if other else kind} {c} {root} {given} {got}"
            self.ids += 1
            location = self.collects[c, rank]
            self.emit(location, "begin" if waits else f"request {self.ids}")
            tail[rank] = (location, f"end {tail[rank]}" if waits else f"complete {tail[rank]} {self.ids}")
        ends = list(tail.values())
        rng.shuffle(ends)
        self.operations += ends if not waits else []
        for location, text in ends if waits else []:
            self.emit(location, text)

    def end_operation(self):
        if self.operations:
            self.emit(*self.operations.pop(self.rng.randrange(len(self.operations))))

    def other(self):
        locations = self.accelerators or list(self.locations.values())
        self.emit(str(self.rng.choice(locations)), "mark")

    def write(self):
        lines = list(self.lines)
        for location, events in self.events.items():
            lines += [f"at {location}"] + events
        return lines


def takes(post, message):
    c, source, _, tag = message["key"]
    return post["comm"] == c and post["from"] in (ANY, source) and post["tag"] in (ANY, tag)


def compare(order, found):
    """What differs."""
    w = order.limits()
    threads = {thread["name"]: thread for thread in found["threads"]}
    if set(threads) != set(w):
        return f"clocks {sorted(threads)}, want {sorted(w)}"
    origin = found["reference"]
    for name, thread in threads.items():
        tau = threads[origin]["offset_ticks"]
        want = tuple(None if limit == INF else tau + sign * limit
                     for sign, limit in ((-1, w[origin][name]), (1, w[name][origin])))
        have = thread["earliest_ticks"], thread["latest_ticks"]
        if name != origin and have != want:
            return f"{name} in {have}, want {want}"
    matched = found["matched"]
    if matched["messages"] != order.messages:
        return f"{matched['messages']} messages, want {order.messages}"
    left = {end: sum(row["count"] for row in matched["left_out"] if row["end"] == end) for end in ("send", "receive")}
    if left != {end: order.left_out[end] for end in left}:
        return f"left out {left}, want {dict(order.left_out)}"
    raw = found["violations"]["raw"] if order.messages else {"count": 0, "largest_ticks": 0}
    if raw["count"] != order.raw["count"] or raw["largest_ticks"] != order.raw["largest_ticks"]:
        return f"violations {raw}, want {dict(order.raw)}"
    return None


def compare_warning(order, text):
    """What differs in what standard error says of ends without another one."""
    total = {end: order.messages + order.left_out[end] for end in ("send", "receive")}
    want = [f"{order.alone['send']} of {total['send']} sends and {order.alone['receive']} of {total['receive']} receives"]
    said = re.findall(r"(\d+ of \d+ sends and \d+ of \d+ receives) have no counterpart, so they give no order", text)
    return None if said == (want if order.alone.total() else []) else f"warned of {said}, want {want}: {text}"


def judge(program, per, found):
    """The truth is in the bounds, where what has a clock is not more than what has one in truth."""
    own = {program.archive.clock_of(i, per): program.offsets[clock] for i, clock in program.clocks.items()}
    threads = {thread["name"]: thread for thread in found["threads"]}
    origin = found["reference"]
    for name, thread in threads.items():
        true = threads[origin]["offset_ticks"] + own[origin] - own[name]
        low, high = thread["earliest_ticks"], thread["latest_ticks"]
        if (low is not None and true < low) or (high is not None and true > high):
            return f"the truth, {true}, of {name} is not in {low} to {high}"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", nargs=2, type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--first", type=int, default=0)
    args = parser.parse_args()
    cellsync, otf2gen = (p.resolve() for p in args.programs)
    faults = messages = refused = warned = 0
    with tempfile.TemporaryDirectory() as name:
        for seed in range(args.first, args.first + args.seeds):
            program = Program(random.Random(seed))
            lines = program.write()
            folder = pathlib.Path(name) / str(seed)
            subprocess.run([otf2gen, folder], input="\n".join(lines) + "\n", text=True, check=True)
            per = program.rng.choice(PER[PER.index(program.truth):])
            order = Order(Archive(lines), per)
            done = started.run([cellsync, folder / "traces.otf2", "-r", "-", "--report-format=json",
                                f"--clock-per={per}"], capture_output=True, text=True)
            if done.returncode != 0:
                fault = f"exit {done.returncode}: {done.stderr}"
                if "no messages between" in done.stderr and not order.messages and not order.operations:
                    refused, fault = refused + 1, None
            else:
                found = json.loads(done.stdout)
                fault = (compare(order, found) or compare_warning(order, done.stderr)
                         or judge(program, per, found))
                warned += order.alone.total() > 0
                messages += order.messages
            if fault:
                faults += 1
                print(f"FAULT: seed {seed}, a clock per {per}: {fault}")
                pathlib.Path(f"otf2_match.{seed}.txt").write_text("\n".join(lines) + "\n")
    print(f"{args.seeds} programs, {messages} messages, {refused} without order, {warned} warned of")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
