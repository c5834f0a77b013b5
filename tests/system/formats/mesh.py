"""A hostile service mesh: spans of services on hosts whose clocks are wrong, with the true times.

Requests go through services in trees.  Delays differ by direction.  Clients time out and retry, transports send a request
twice, work goes on after the answer, servers end their spans after their clients, and spans are lost, recorded twice, or
out of order.
"""
import random
from fractions import Fraction

SERVER, CLIENT, PRODUCER, CONSUMER, INTERNAL = 2, 3, 4, 5, 1
BASE = 1_790_000_000 * 10**9


class Mesh:
    def __init__(self, seed, requests=40):
        self.random = r = random.Random(seed)
        self.hosts = [f"host{i}" for i in range(r.randint(2, 5))]
        self.offset = {h: r.randint(-10**10, 10**10) for h in self.hosts}
        self.ppb = {h: r.choice((0, r.randint(-200_000, 200_000))) for h in self.hosts}
        self.services = [f"service{i}" for i in range(r.randint(len(self.hosts), 8))]
        self.host_of = {s: self.hosts[i % len(self.hosts)] for i, s in enumerate(self.services)}
        # Some software reads its clock in milliseconds, and adds an exact duration to get the end of a span.
        self.coarse = {s: r.random() < 0.2 for s in self.services}
        self.delay = {(a, b): r.choice((20_000, 300_000, 5_000_000)) for a in self.hosts for b in self.hosts}
        self.spans = []
        self.number = 0
        now = 0
        for _ in range(requests):
            now += r.randint(0, 50_000_000)
            self.trace = f"{r.getrandbits(128) | 1:032x}"
            self.work(r.choice(self.services), now, None, 0, SERVER)
        self.whole = list(self.spans)
        lost = r.choice((0, 0.05, 0.3))
        self.spans = [s for s in self.spans if s["keep"] or r.random() >= lost]
        if r.random() < 0.3:
            self.spans += [dict(s) for s in self.spans if r.random() < 0.05]
        r.shuffle(self.spans)

    def local(self, host, true):
        """What the clock of the host shows."""
        return BASE + true + self.offset[host] + Fraction(true * self.ppb[host], 10**9)

    def true(self, host, local):
        return (Fraction(local) - BASE - self.offset[host]) / (1 + Fraction(self.ppb[host], 10**9))

    def pause(self, mean):
        return int(self.random.expovariate(1 / mean)) + 1

    def travel(self, a, b):
        a, b = self.host_of[a], self.host_of[b]
        return 500 + self.pause(self.delay[a, b]) if a != b else 100 + self.pause(5000)

    def add(self, service, kind, begin, end, parent, error=False, keep=False, follows=False, link=None):
        self.number += 1
        host = self.host_of[service]
        start, stop = self.local(host, begin), self.local(host, end)
        if self.coarse[service]:
            duration = int(stop - start)
            start = int(start) // 10**6 * 10**6
            stop = start + duration
        span = {"trace": self.trace, "id": f"{self.random.getrandbits(64) | 1:016x}", "parent": parent, "service": service,
                "host": host, "kind": kind, "name": f"{service} {kind}", "start": int(start), "end": int(stop), "error": error,
                "keep": keep, "link": link, "true": begin, "true_end": end}
        self.spans.append(span)
        return span

    def reserve(self, service, kind, parent, **more):
        return self.add(service, kind, 0, 0, parent, **more)

    def finish(self, span, begin, end):
        """Set the times of a span whose children were made before it ended."""
        self.spans.remove(span)
        made = self.add(span["service"], span["kind"], begin, end, span["parent"], span["error"], span["keep"], link=span["link"])
        made["id"] = span["id"]
        return made

    def work(self, service, begin, parent, depth, kind, keep=False):
        """A service handles a request from `begin` on: returns when it sends its answer."""
        r = self.random
        span = self.reserve(service, kind, parent and parent["id"], keep=keep)
        now = begin + self.pause(100_000)
        for _ in range(r.choice((0, 1, 1, 2)) if depth < 4 else 0):
            peer = r.choice(self.services)
            way = r.random()
            if way < 0.15:                                          # a message: the consumer may be late
                sent = self.add(service, PRODUCER, now, now + self.pause(50_000), span["id"])
                late = now + self.travel(service, peer) + self.pause(r.choice((10**6, 10**9)))
                self.work(peer, late, sent, depth + 1, CONSUMER)
            elif way < 0.25:                                        # work inside, which may outlive its parent
                self.add(service, INTERNAL, now, now + self.pause(10**7), span["id"])
                now += self.pause(10_000)
            elif way < 0.35:                                        # a peer takes a task, and nobody waits
                other = self.work(peer, now + self.travel(service, peer), span, depth + 1, INTERNAL)
            else:
                now = self.call(service, peer, now, span, depth)
            now += self.pause(50_000)
        ends = now + r.choice((0, self.pause(5_000_000)))           # after the answer was sent
        self.finish(span, begin, ends)
        if r.random() < 0.05 and self.spans:
            linked = r.choice(self.spans)
            if linked["true"] < ends and linked["trace"] == self.trace and linked["true"] > 0:
                self.spans[-1]["link"] = (linked["trace"], linked["id"]) if linked["true"] <= ends else None
        return now

    def call(self, service, peer, now, span, depth):
        r = self.random
        way = r.random()
        if way < 0.1:                                               # a timeout; the server begins after it, perhaps
            out = self.add(service, CLIENT, now, now + self.pause(2_000_000), span["id"], error=True)
            self.work(peer, now + self.travel(service, peer) + self.pause(3_000_000), out, depth + 1, SERVER)
            now = max(now, int(out["true_end"])) + 1000
        if way > 0.95:                                              # the transport repeats the request by itself
            out = self.reserve(service, CLIENT, span["id"])
            answer = self.work(peer, now + self.travel(service, peer), out, depth + 4, SERVER, keep=True)
            end = answer + self.travel(peer, service)
            self.work(peer, end + self.pause(10_000_000), out, depth + 4, SERVER, keep=True)
            self.finish(out, now, end)
            return end
        out = self.reserve(service, CLIENT, span["id"])
        answer = self.work(peer, now + self.travel(service, peer), out, depth + 1, SERVER)
        end = answer + self.travel(peer, service)
        self.finish(out, now, end)
        return end
