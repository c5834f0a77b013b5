"""What an archive says of order, from the lines that otf2gen makes it of: an oracle, slow and plain.

Written from the manual and from what OTF2 says of its events, and from nothing of cellsync's sources.  Every event
is a point; an edge says that one is not later than another; bounds are looked for over all pairs of points.
"""
from collections import Counter, defaultdict

INF = float("inf")
(BARRIER, BCAST, GATHER, GATHERV, SCATTER, SCATTERV, ALLGATHER, ALLGATHERV, ALLTOALL, ALLTOALLV, ALLTOALLW, ALLREDUCE,
 REDUCE, REDUCE_SCATTER, SCAN, EXSCAN, REDUCE_SCATTER_BLOCK) = range(17)
ROOTED = (BCAST, SCATTER, SCATTERV, REDUCE, GATHER, GATHERV)
UNKNOWN = (ALLTOALLV, ALLTOALLW)
NO_GROUP = str(2**32 - 1)


class Archive:
    """What the lines define, and the events of each location: (time, words)."""

    def __init__(self, lines):
        self.nodes, self.groups, self.locations, self.comms, self.world = {}, {}, {}, {}, []
        self.events = {}
        at = None
        for words in (line.split() for line in lines):
            if words[0] == "node":
                self.nodes[words[1]] = (words[2], words[3].replace("%20", " "), words[4] if len(words) > 4 else None)
            elif words[0] == "process":
                self.groups[words[1]] = ("process", words[2], None, words[3].replace("%20", " "))
            elif words[0] == "accelerator":
                self.groups[words[1]] = ("accelerator", words[3], words[2], words[4].replace("%20", " "))
            elif words[0] == "location":
                self.locations[words[1]] = (words[2], words[3])
                self.events[words[1]] = []
            elif words[0] == "world":
                self.world = words[1:]
            elif words[0] == "comm":
                self.comms[words[1]] = [self.world[int(rank)] for rank in words[3:]]
            elif words[0] == "at":
                at = words[1]
            elif words[0].isdigit():
                self.events[at].append((int(words[0]), words[1:]))

    def node_of(self, node):
        """The nearest node of class "node"."""
        while node is not None and self.nodes[node][0] != "node":
            node = self.nodes[node][2]
        return node

    def clock_of(self, location, per):
        group, name = self.locations[location]
        if per == "location":
            return name
        kind, node, creator, _ = self.groups[group]
        if per == "node":
            return self.nodes[self.node_of(node)][1]
        if kind == "accelerator":
            if creator == NO_GROUP:
                creator = min((g for g, (k, n, _, _) in self.groups.items()
                               if k == "process" and self.node_of(n) == self.node_of(node)), key=int)
            group = creator
        return self.groups[group][3]

    def rank_in(self, comm, location):
        """The rank of the location's process."""
        process = self.locations[location][0]
        return next(i for i, member in enumerate(self.comms[comm]) if self.locations[member][0] == process)


class Order:
    """Points, edges between them, and what was matched, with clocks for processes, nodes or locations."""

    def __init__(self, archive, per):
        self.archive, self.per = archive, per
        self.points, self.edges = [], []                    # (clock, time), (point, point)
        self.sends, self.receives = defaultdict(list), defaultdict(list)
        self.messages, self.left_out, self.alone, self.raw = 0, Counter(), Counter(), Counter()
        self.operations = defaultdict(lambda: defaultdict(list))
        self.lost = {}                                      # by clock: since when operations are not sure
        for location in archive.events:
            self.read(location)
        self.match()
        for members in self.operations.values():
            self.collect(members)

    def read(self, location):
        clock, last, begun, requested = self.archive.clock_of(location, self.per), None, None, {}
        posted = {}                                         # by request: when
        for time, (what, *words) in self.archive.events[location]:
            self.points.append((clock, time))
            point = len(self.points) - 1
            if last is not None:
                self.edges.append((last, point))
            last = point
            if what in ("send", "isend"):
                self.note(self.sends, location, words, time, point, True)
            elif what == "recv":
                self.note(self.receives, location, words, time, point, False)
            elif what == "irecv":
                self.note(self.receives, location, words, posted.pop(words[3], None), point, False)
            elif what == "post":
                posted[words[0]] = time
            elif what == "cancel":
                posted.pop(words[0], None)
            elif what == "begin":
                begun = point
            elif what == "request":
                requested[words[0]] = point
            elif what == "end" or (what == "complete" and words[5] in requested):
                start = begun if what == "end" else requested.pop(words[5])
                self.operations[words[1]][self.archive.rank_in(words[1], location)].append((start, point, words))
        for point in requested.values():                    # of which communicator it was is not known
            self.lost[clock] = min(self.lost.get(clock, INF), self.points[point][1])

    def note(self, ends, location, words, posted, point, is_send):
        comm, peer, tag = words[:3]
        if comm not in self.archive.comms:
            return
        own = self.archive.rank_in(comm, location)
        key = (comm, own, int(peer), tag) if is_send else (comm, int(peer), own, tag)
        ends[key].append((location, posted, point))

    def match(self):
        for key in {**self.sends, **self.receives}:
            sends, receives = self.sends[key], self.receives[key]
            count = min(len(sends), len(receives))
            if len(receives) > len(sends):
                for ends in (self.left_out, self.alone):
                    ends.update(receive=len(receives), send=len(sends))
                continue
            clocks = [{self.points[point][0] for _, _, point in ends} for ends in (sends, receives)]
            plain = all(len({location for location, _, _ in ends}) <= 1 for ends in (sends, receives)) and all(
                posted is not None for _, posted, _ in receives)
            if plain:
                receives = sorted(receives, key=lambda end: end[1])
            elif max(map(len, clocks)) > 1:
                self.left_out["send"] += len(sends)
                self.left_out["receive"] += len(receives)
                continue
            else:
                sends = sorted(sends, key=lambda end: self.points[end[2]][1])
                receives = sorted(receives, key=lambda end: self.points[end[2]][1])
            self.messages += count
            for ends in (self.left_out, self.alone):
                ends["send"] += len(sends) - count
            for send, receive in zip(sends, receives):
                self.edges.append((send[2], receive[2]))
                late = self.points[send[2]][1] - self.points[receive[2]][1]
                if late > 0:
                    self.raw["count"] += 1
                    self.raw["largest_ticks"] = max(self.raw["largest_ticks"], late)

    def collect(self, members):
        for rank, operations in members.items():
            operations = [(begin, end, words) for begin, end, words in operations
                          if self.points[begin][1] < self.lost.get(self.points[begin][0], INF)]
            members[rank] = sorted(operations, key=lambda operation: self.points[operation[0]][1])
        members = {rank: operations for rank, operations in members.items() if operations}
        if not members:
            return
        counts = Counter(map(len, members.values()))        # those that others do not agree with missed some
        usual = max(counts, key=lambda n: (counts[n], n))
        members = {rank: operations for rank, operations in members.items() if len(operations) == usual}
        for k in range(usual):
            there = {rank: operations[k] for rank, operations in members.items() if k < len(operations)}
            if len({(words[0], words[2] if int(words[0]) in ROOTED else None) for _, _, words in there.values()}) > 1:
                return
            for i, (begin, _, given) in there.items():
                for j, (_, end, got) in there.items():
                    if i != j and waits(int(given[0]), int(given[2]), i, j) and (
                            int(given[0]) == BARRIER or (int(given[3]) > 0 and int(got[4]) > 0)):
                        self.edges.append((begin, end))

    def limits(self):
        """By clocks s, t the greatest g[s] - g[t], where stamps are good to half a tick."""
        after = defaultdict(set)
        for p, q in self.edges:
            after[p].add(q)
        reach, state = {}, {}

        def visit(root):
            stack = [root]
            while stack:
                p = stack[-1]
                rest = [q for q in after[p] if q not in reach]
                if rest:
                    if state.get(p):
                        raise SystemExit("a cycle of events")
                    state[p] = True
                    stack += rest
                    continue
                bits = 1 << p
                for q in after[p]:
                    bits |= reach[q]
                reach[p] = bits
                stack.pop()

        clocks = list(dict.fromkeys(clock for clock, _ in self.points))
        w = {s: {t: 0 if s == t else INF for t in clocks} for s in clocks}
        for p, (s, low) in enumerate(self.points):
            if p not in reach:
                visit(p)
            for q, (t, high) in enumerate(self.points):
                if s != t and reach[p] >> q & 1:
                    w[s][t] = min(w[s][t], high - low + 1)
        for k in clocks:
            for s in clocks:
                for t in clocks:
                    w[s][t] = min(w[s][t], w[s][k] + w[k][t])
        return w


def waits(kind, root, i, j):
    """Whether what member i gives reaches member j."""
    if kind in UNKNOWN:
        return False
    if kind in (BCAST, SCATTER, SCATTERV):
        return i == root
    if kind in (REDUCE, GATHER, GATHERV):
        return j == root
    if kind in (SCAN, EXSCAN):
        return i < j
    return True
