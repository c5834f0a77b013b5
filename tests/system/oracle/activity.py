"""What a trace says of the program, at given offsets of its clocks: levels of concurrency, states of actors, profile,
calls, messages, waits.

Written from the descriptions alone, which are those of the formats and of what is to be reckoned; it shares no code
with cellsync, and does not go the same way: all instants are in memory, with a global time each, and are sorted. It is
slow, and has no ranges.

An actor is what runs code: a thread of the PPE, an SPE context, or a thread of a CSV. It goes from stay to stay, each
by a clock of its own; times of a stay are compared by that clock. Times are integers, in ticks; none is rounded.

    python3 activity.py TRACE.csv|TRACE.pex [TABLE...]      tables as CSV, of a trace that cellsync has synchronized
"""

import bisect
import collections
import csv
import math
import os
import re
import sys
from dataclasses import dataclass, field
from fractions import Fraction

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import meaning  # noqa: E402

STATES = ("active", "switch", "ready", "blocked", "idle", "absent")

WAITING = {"wait", "acquire", "barrier", "send", "recv", "collective", "transfer"}
IDLE = {"SPU_READ_IN_MBOX"}


# ------------------------------------------------------------------------------------------------ stays and states

@dataclass
class Stay:
    """Records of an actor by one clock."""
    records: list
    first: int = None               # the earliest instant, and the last record
    last: int = None


@dataclass
class Actor:
    """What an actor was when: pieces (from, to, state, class of what it waits for), of the whole of its time."""
    name: str
    spe: bool
    stays: list = field(default_factory=list)
    pieces: list = field(default_factory=list)
    start: int = 0                  # of the trace
    switched: bool = False          # its switches are recorded


def overlaid(first, last, waits):
    """The pieces of a stay: active, but for its waits; of several at once the one that began last counts, and of those
    that began at once the inner one, which is recorded first."""
    cuts = sorted({first, last, *(t for w in waits for t in w[:2])})
    starts = sorted((w[0], -w[1], -place, *w[1:]) for place, w in enumerate(waits))
    pieces, open_waits, i = [], [], 0
    for a, b in zip(cuts, cuts[1:]):
        while i < len(starts) and starts[i][0] <= a:
            open_waits.append(starts[i])
            i += 1
        open_waits = [w for w in open_waits if w[3] > a]
        state, cls = max(open_waits)[4:] if open_waits else ("active", None)
        pieces.append((a, b, state, cls))
    return pieces


def is_wait(record):
    """Whether a record ends time spent waiting."""
    return record.begun is not None and (record.meaning.role in WAITING or record.meaning.stalls)


def waits_of(actor, stay):
    """The waits of a stay (begin, end, state, class): none begins before the stay of what is switched, nor after its own
    end; a call that waits is where the call is."""
    waits, calls = [], clipped_begins(stay, Calls())
    for i, r in enumerate(stay.records):
        if is_wait(r):
            begin = max(calls.get(i, r.begun), stay.records[0].at) if actor.switched else calls.get(i, r.begun)
            state = r.meaning.state or ("idle" if r.name in IDLE else "blocked")
            waits.append((min(begin, r.at), r.at, state, r.meaning.cls))
    return waits


def pauses_of(actor, stay):
    """The same as far as the actor is there: before its first record only where the trace had begun. There a call that
    waits counts from the first record of the trace on, any other wait from its begin on, if that is after it."""
    waits, records = waits_of(actor, stay), [r for r in stay.records if is_wait(r)]
    first = stay.records[0].at
    return [(max(begin, actor.start) if r.meaning.stalls else begin if begin > actor.start else max(begin, first), *rest)
            for r, (begin, *rest) in zip(records, waits)]


def finish_stay(actor, stay):
    """Its first instant is that of a record, or, of what is not switched, of a begin of a wait."""
    stay.last = stay.records[-1].at
    stay.first = stay.records[0].at
    pauses = waits_of(actor, stay) if actor.switched else pauses_of(actor, stay)
    if not actor.switched:
        stay.first = min([stay.first] + [w[0] for w in pauses])
    actor.pieces += overlaid(stay.first, stay.last, pauses)


def actors_of(trace):
    """The actors of a trace, with their stays and states."""
    actors, place, stays = {}, {}, {}   # place: of a context, (state, since)
    start = min(r.at for r in trace.records)
    switched = {f"spe{r.what['task']}" for r in trace.records if r.meaning.role == "in" and "task" in r.what}

    def leave(name, to, at):
        if place.get(name, (None,))[0]:
            actors[name].pieces.append((place[name][1], at, place[name][0], None))
        place[name] = (to, at)

    def end(name):
        stay = stays.pop(name)
        finish_stay(actors[name], stay)
        return stay

    for r in trace.records:
        actor = actors.setdefault(r.actor, Actor(r.actor, r.spe, start=start,
                                                   switched=r.actor in switched))
        if r.actor in stays and stays[r.actor].records[-1].clock == r.clock:
            stays[r.actor].records.append(r)
        elif actor.switched and place.get(r.actor, (None,))[0] == "ready":
            actor.stays.append(Stay([r], r.at, r.at))   # a straggler is at no place
        else:
            leave(r.actor, None, r.at)
            if r.actor in stays:
                end(r.actor)
            stays[r.actor] = Stay([r])
            actor.stays.append(stays[r.actor])
        name = f"spe{r.what.get('task')}"
        if r.meaning.role not in ("start", "in", "out", "stop") or "task" not in r.what:
            continue
        actors.setdefault(name, Actor(name, True, switched=name in switched))
        if r.meaning.role == "out":
            if name in stays:
                place[name] = ("switch", end(name).last)
            leave(name, "ready", r.at)
        elif r.meaning.role == "stop" and name in stays and name not in switched:
            place[name] = ("ready", end(name).last)
            leave(name, None, r.at)
        elif name not in stays:
            leave(name, {"start": "ready", "in": "switch", "stop": None}[r.meaning.role], r.at)
    for name in list(stays):
        end(name)
    return [a for a in actors.values() if a.stays]


def span_of(actors):
    """From the first instant to the last."""
    return min(p for a in actors for p in [s.first for s in a.stays] + [x[0] for x in a.pieces]), \
        max(p for a in actors for p in [s.last for s in a.stays] + [x[1] for x in a.pieces])


def states(actors):
    """(actor, state) -> time, and (actor, class) -> (waits, time) of what is waited for; an actor is absent when it
    is nothing else."""
    first, last = span_of(actors)
    times, classes = collections.Counter(), {}
    for actor in actors:
        times.update({(actor.name, state): 0 for state in STATES})
        for a, b, state, _ in actor.pieces:
            times[actor.name, state] += b - a
        times[actor.name, "absent"] = last - first - sum(times[actor.name, s] for s in STATES[:-1])
        for stay in actor.stays:
            for a, b, _, cls in waits_of(actor, stay):
                count, time = classes.get((actor.name, cls), (0, 0))
                classes[actor.name, cls] = (count + 1, time + b - a)
    return times, classes


def states_in(actors, begin, end):
    """(actor, state) -> time of that window, which is within the trace."""
    times = collections.Counter()
    for actor in actors:
        for a, b, state, _ in actor.pieces:
            times[actor.name, state] += max(0, min(b, end) - max(a, begin))
        times[actor.name, "absent"] = end - begin - sum(times[actor.name, s] for s in STATES[:-1])
    return times


def executing_in(actors, begin, end):
    """How many of these actors are active -> time of that window."""
    pieces = [(max(a, begin), min(b, end)) for actor in actors for a, b, state, _ in actor.pieces if state == "active"]
    times = collections.Counter()
    for a, b, n in steps_of([(a, b) for a, b in pieces if a < b]):
        times[n] += b - a
    times[0] = end - begin - sum(time for n, time in times.items() if n)
    return times


# -------------------------------------------------------------------------------------------------- concurrency

def steps_of(pieces):
    """[(from, to, how many of the pieces there are)] over all of them."""
    changes = collections.Counter()
    for a, b in pieces:
        changes[a] += 1
        changes[b] -= 1
    cuts, n, steps = sorted(changes), 0, []
    for a, b in zip(cuts, cuts[1:]):
        n += changes[a]
        steps.append((a, b, n))
    return steps


def units_of(actors):
    """SPE contexts, or all where there are none."""
    return [a for a in actors if a.spe] or actors


def active_steps(actors):
    """How many units are active when."""
    return steps_of([(a, b) for actor in units_of(actors) for a, b, state, _ in actor.pieces if state == "active"])


def levels(actors):
    """Level -> time with exactly so many units active, from 0 to their number."""
    first, last = span_of(actors)
    times = collections.Counter({i: 0 for i in range(len(units_of(actors)) + 1)})
    for a, b, n in active_steps(actors):
        times[n] += b - a
    times[0] += last - first - sum(times.values())
    return dict(times)


def concurrency(actors, with_idle=False):
    """[(level, time, CU)], and T, CAVG, CEFF and the limit of Amdahl's law; a fraction is None where T is 0."""
    times = levels(actors)
    total = sum(t for i, t in times.items() if i or with_idle)
    active = sum(i * t for i, t in times.items())

    def over(a, b):
        return Fraction(a, b) if b else None

    rows = [(i, t, over(t, total) if i or with_idle else None) for i, t in sorted(times.items())]
    average = over(active, total)
    return rows, {"T": total, "CAVG": average, "CEFF": average and average / len(units_of(actors)),
                  "limit": over(total, times.get(1, 0))}


# --------------------------------------------------------------------------------------------------------- calls

@dataclass
class Call:
    """An activation of a routine."""
    actor: str
    routine: str
    caller: str
    path: tuple
    begin: int
    outermost: bool = True          # no other one of this routine is active in this actor
    outermost_pair: bool = True     # nor one with this caller
    end: int = None
    unentered: bool = False         # it began before the trace
    unleft: bool = False            # it ends after the trace
    implied: bool = False           # the exit of another one closes it
    direct: list = field(default_factory=list)  # pieces of time as the innermost one

    @property
    def opened(self):
        return self.unentered or self.unleft

    @property
    def direct_time(self):
        return sum(b - a for a, b in self.direct)


@dataclass
class Calls:
    """All calls, and what did not fit."""
    calls: list = field(default_factory=list)
    ignored: int = 0                # exits of what was not entered
    clipped: int = 0                # intervals that cross others


def clipped_begins(stay, counts):
    """The begins of calls that are intervals, by the records of their ends; of two that cross the later one is cut."""
    done, begins = [], {}
    for i, r in enumerate(stay.records):
        if r.meaning.role != "call" or r.begin is None:
            continue
        begin = min(r.begun, r.at)
        cut = max([end for a, end in done if a < begin < end], default=begin)
        counts.clipped += cut != begin
        done.append((cut, r.at))
        begins[i] = cut
    return begins


def instants_of(trace, stay, counts):
    """[(time, "enter", routine), (time, "exit", routine) or (time, None, None)] of a stay: records in their order, and
    begins of calls before what comes after them, the outer one first."""
    begins = clipped_begins(stay, counts)
    out = []
    for i, r in enumerate(stay.records):
        role, routine = r.meaning.role, None
        if role in ("enter", "exit", "call"):
            value = r.what.get("routine")
            routine = r.meaning.routine if value is None else trace.function(value)
        out.append((r.at, {"enter": "enter", "exit": "exit", "call": "exit"}.get(role), routine))
        if i in begins:
            at = len(out) - 1
            while at > 0 and out[at - 1][0] > begins[i]:
                at -= 1
            while at > 0 and out[at - 1][0] == begins[i] and out[at - 1][1] == "enter":
                at -= 1
            out.insert(at, (begins[i], "enter", routine))
    return out


def enter(stack, calls, actor, routine, at):
    """A routine is entered."""
    caller = stack[-1].routine if stack else None
    path = (stack[-1].path if stack else ()) + (routine,)
    stack.append(Call(actor, routine, caller, path, at, all(c.routine != routine for c in stack),
                      all((c.routine, c.caller) != (routine, caller) for c in stack)))
    calls.calls.append(stack[-1])


def unseen_entries(instants):
    """The routines that were on at the first record, the outermost first, and the places of exits that are ignored.

    An exit that finds nothing entered is of such a routine, but not once one has been ignored, since then entries are
    missing; one of a routine that is not on, while others are, is ignored.
    """
    stack, missed, ignored = [], [], set()
    for i, (_, kind, routine) in enumerate(instants):
        if kind == "enter":
            stack.append(routine)
        elif kind == "exit" and routine in stack:
            while stack.pop() != routine:
                pass
        elif kind == "exit" and not stack and not ignored:
            missed.append(routine)
        elif kind == "exit":
            ignored.add(i)
    return missed[::-1], ignored


def leave(stack, routine, at):
    """A routine is left, and those above it."""
    while True:
        call = stack.pop()
        call.end = at
        if call.routine == routine:
            return
        call.implied = True


def calls_of(trace, actors):
    """The calls of all actors.

    An exit below the top closes what is above; one without an entry, while nothing has been entered, says that the
    routine was on since the actor's first record. What is not left lasts to the last record.
    """
    calls = Calls()
    for actor in actors:
        stays = [instants_of(trace, stay, calls) for stay in actor.stays]
        missed, ignored = unseen_entries([instant for stay in stays for instant in stay])
        calls.ignored += len(ignored)
        stack, place = [], 0
        for routine in missed:
            enter(stack, calls, actor.name, routine, stays[0][0][0])
            stack[-1].unentered = True
        for stay in stays:
            before = stay[0][0]
            for at, kind, routine in stay:
                if stack:
                    stack[-1].direct.append((before, at))
                before = at
                if kind == "enter":
                    enter(stack, calls, actor.name, routine, at)
                elif kind == "exit" and place not in ignored:
                    leave(stack, routine, at)
                place += 1
        for call in stack:
            call.end, call.unleft = before, True
    return calls


def under_way(a, b, begin, end):
    """Whether what is from one moment to another one is in a window for some time, or a moment within it."""
    return begin < end and a < end and b > begin


def calls_in(calls, begin, end):
    """Those that are under way in a window for some time, cut there; where the window ends them they are
    neither open nor implied."""
    def cut(a, b):
        return max(a, begin), min(b, end)

    found = [(c, *cut(c.begin, c.end)) for c in calls.calls if under_way(c.begin, c.end, begin, end)]
    return Calls([Call(c.actor, c.routine, c.caller, c.path, a, c.outermost, c.outermost_pair, b,
                       c.unentered and a == c.begin, c.unleft and b == c.end, c.implied and b == c.end,
                       c.direct if (a, b) == (c.begin, c.end) else
                       [cut(*piece) for piece in c.direct if piece[0] < end and piece[1] > begin]) for c, a, b in found])


def measure(pieces):
    """The measure of a union."""
    total, done = 0, -math.inf
    for a, b in sorted(pieces):
        if b > done:
            total += b - max(a, done)
            done = b
    return total


def within(pieces, steps):
    """How much of the pieces, each counted, is in the steps (from, to), which are sorted and do not overlap."""
    starts, total = [s[0] for s in steps], 0
    for a, b in pieces:
        i = max(bisect.bisect_right(starts, a) - 1, 0)
        while i < len(steps) and steps[i][0] < b:
            total += max(0, min(b, steps[i][1]) - max(a, steps[i][0]))
            i += 1
    return total


def creations(trace):
    """actor -> [(time, who creates it)]; of an actor of which no record says so, who starts it."""
    found = {role: collections.defaultdict(list) for role in ("create", "start")}
    for r in trace.records:
        if r.meaning.role in found and "task" in r.what:
            found[r.meaning.role][f"spe{r.what['task']}"].append((r.at, r.actor))
    return {**found["start"], **found["create"]}


def ancestors(calls, created, actor, at):
    """The calls that an actor's calls from then on are of, too: those that were on where it was created, and theirs."""
    turns = created.get(actor)
    if not turns:
        return []
    at, creator = max([t for t in turns if t[0] <= at], default=turns[0])
    open_calls = [c for c in calls.calls if c.actor == creator and c.begin <= at <= c.end]
    return open_calls + ancestors(calls, created, creator, at)


def profile(calls, actors, by_actor=False, created=None):
    """routine, or (actor, routine) -> figures of the profile; with creations, calls are of who created their actors, too."""
    def key_of(call):
        return (call.actor, call.routine) if by_actor else call.routine

    groups, more, rows = collections.defaultdict(list), collections.defaultdict(list), {}
    alone = [(a, b) for a, b, n in active_steps(actors) if n == 1]
    own, above = collections.defaultdict(list), set()
    for call in calls.calls:  # of each actor, as they were entered
        key = key_of(call)
        groups[key].append(call)
        if call.caller is None:
            above = {key_of(c) for c in ancestors(calls, created or {}, call.actor, call.begin)}
            for other in above:
                more[other].append(call)
        if call.outermost and key not in above:
            own[key].append(call)
    for key, group in groups.items():
        outer = own[key] + more[key]
        pieces = [p for c in group for p in c.direct]
        lengths = [c.end - c.begin for c in group]
        direct, sequential = sum(b - a for a, b in pieces), within(pieces, alone)
        rows[key] = {
            "calls": len(group), "recursive": len(group) - len(own[key]), "open": sum(c.opened for c in group),
            "implied": sum(c.implied for c in group), "direct": direct,
            "cumulative": sum(c.end - c.begin for c in outer), "least": min(lengths), "greatest": max(lengths),
            "elapsed_direct": measure(pieces), "elapsed_cumulative": measure([(c.begin, c.end) for c in outer]),
            "sequential": sequential, "concurrent": direct - sequential}
    return rows


def percentile(values, percent):
    """The least of them that is not below so many of a hundred of them."""
    return sorted(values)[-(-len(values) * percent // 100) - 1]


def at_once(pieces):
    """How many of them (who, from, to), of different ones, there are at once at most: for some time, and if moments count."""
    most = [0, 0]
    for a in {t for _, *ends in pieces for t in ends}:
        most[0] = max(most[0], len({who for who, b, e in pieces if b <= a < e}))
        most[1] = max(most[1], len({who for who, b, e in pieces if b <= a <= e}))
    return tuple(most)


def profile_more(calls):
    """routine -> more of its calls: mean and percentiles of their times; how many were sequential and concurrent, and the
    greatest concurrency, each (least, most), as what only touches may be with one another or not."""
    groups, rows = collections.defaultdict(list), {}
    for call in calls.calls:
        groups[call.routine].append(call)
    for routine, group in groups.items():
        times = [c.end - c.begin for c in group]
        others = [[o for o in calls.calls if o.actor != c.actor] for c in group]
        certain = sum(any(max(c.begin, o.begin) < min(c.end, o.end) for o in some) for c, some in zip(group, others))
        possible = sum(any(max(c.begin, o.begin) <= min(c.end, o.end) for o in some) for c, some in zip(group, others))
        rows[routine] = {
            "mean": Fraction(sum(times), len(times)), **{f"p{n}": percentile(times, n) for n in (50, 95, 99)},
            "sequential_calls": (len(group) - possible, len(group) - certain), "concurrent_calls": (certain, possible),
            "greatest_concurrency": at_once([(c.actor, c.begin, c.end) for c in group])}
    return rows


def sampled(calls, first, ticks):
    """routine -> time by samples that are so far apart, of those that are in it itself."""
    def samples_before(time):
        return -((first - time) // ticks)

    times = collections.Counter()
    for call in calls.calls:
        times[call.routine] += ticks * sum(samples_before(b) - samples_before(a) for a, b in call.direct)
    return times


def propagated(calls, own):
    """routine -> its time and parts of that of what it calls, by numbers of calls, as gprof has it."""
    arcs, counts, to = collections.Counter(), collections.Counter(), collections.defaultdict(set)
    for call in calls.calls:
        counts[call.routine] += 1
        if call.caller is not None:
            arcs[call.caller, call.routine] += 1
            to[call.caller].add(call.routine)

    def reached(routine):
        found, rest = set(), [routine]
        while rest:
            new = to[rest.pop()] - found
            found |= new
            rest += new
        return found

    reach = {routine: reached(routine) for routine in counts}
    groups = {r: frozenset({r} | {s for s in reach[r] if r in reach[s]}) for r in counts}
    times = {}

    def time_of(routine):
        if routine not in times:
            times[routine] = Fraction(own[routine])
            for callee in to[routine] - groups[routine]:
                group = groups[callee]
                outside = sum(counts[m] for m in group) - sum(arcs[a, b] for a in group for b in group)
                times[routine] += sum(map(time_of, group)) * Fraction(arcs[routine, callee], outside)
        return times[routine]

    return {routine: time_of(routine) for routine in counts}


def call_pairs(calls):
    """(caller, callee) -> (calls, time of those within no other call of this pair)."""
    rows = collections.defaultdict(lambda: [0, 0])
    for call in calls.calls:
        rows[call.caller, call.routine][0] += 1
        rows[call.caller, call.routine][1] += (call.end - call.begin) if call.outermost_pair else 0
    return {pair: tuple(row) for pair, row in rows.items()}


def call_paths(calls):
    """Path from the outermost -> (calls, direct time), of all actors."""
    rows = collections.defaultdict(lambda: [0, 0])
    for call in calls.calls:
        rows[call.path][0] += 1
        rows[call.path][1] += call.direct_time
    return {path: tuple(row) for path, row in rows.items()}


# ------------------------------------------------------------------------------------------------ messages, waits

def messages(trace, lost=False):
    """[(sender, receiver, tag, bytes, begin of the send, end of the receive, begin of the receive)], and how many ends
    have no partner: the k-th send of a communicator from one to another with a tag goes with the k-th receive, if there are as
    many. With lost, those of which receives are missing count as well: when they were received is not known."""
    ends = {"send": collections.defaultdict(list), "recv": collections.defaultdict(list)}
    for r in trace.records:
        role, partner = r.meaning.role, r.what.get("partner")
        if role not in ends or partner is None or partner in (-1, 2**64 - 1):
            continue
        other = partner if isinstance(partner, str) else trace.ranks.get(partner, f"spe{partner}")
        pair = (r.actor, other) if role == "send" else (other, r.actor)
        ends[role][(r.what.get("comm"), *pair, r.what.get("tag"))].append(r)
    out, unmatched = [], 0
    for key in sorted({*ends["send"], *ends["recv"]}, key=str):
        sends, receives = (sorted(ends[role][key], key=lambda r: r.time if r.begin is None else r.begin)
                           for role in ("send", "recv"))
        if lost and len(sends) > len(receives):
            out += [(*key[1:], s.what.get("bytes", 0), s.at if s.begun is None else s.begun, None, None)
                    for s, _ in zip(sends, receives)]
            unmatched += len(sends) - len(receives)
            continue
        if len(sends) != len(receives):
            unmatched += len(sends) + len(receives)
            continue
        out += [(*key[1:], s.what.get("bytes", 0), s.at if s.begun is None else s.begun, r.at,
                 r.at if r.begun is None else r.begun) for s, r in zip(sends, receives)]
    return out, unmatched


def words(trace):
    """[(sender, receiver, begin of the write, end of the read, begin of the read)] of words through mailboxes: the k-th
    that is written to a mailbox is the k-th that is read."""
    ends, out = collections.defaultdict(list), []
    for r in trace.records:
        match = re.fullmatch("SP[EU]_(READ_|WRITE_)?(IN|OUT)_MBOX(_READ|_WRITE)?", r.name)
        if match:
            context = r.actor if r.spe else f"spe{r.what['task']}"
            ends[match[2], context, "READ" in r.name].append(r)
    for way, context, _ in sorted(key for key in ends if key[2]):
        pairs = zip(ends.get((way, context, False), []), ends[way, context, True])
        out += [(w.actor, r.actor, w.begun, r.at, r.begun) for w, r in pairs]
    return out


def communication(found):
    """(sender, receiver) -> (messages, bytes, sum of the times from the begin of the send to the end of the
    receive)."""
    rows = collections.defaultdict(lambda: [0, 0, 0])
    for sender, receiver, _, size, begin, end, _ in found:
        row = rows[sender, receiver]
        row[:] = row[0] + 1, row[1] + size, row[2] + end - begin
    return {pair: tuple(row) for pair, row in rows.items()}


@dataclass
class Exchange:
    """A message, a word or a transfer; of one that is recorded as a moment, or whose channel lacks receives, it is not known
    when it ended."""
    what: str
    sender: str
    receiver: str
    bytes: int
    begin: int
    end: int                        # or None
    posted: int = None              # begin of the receive

    def is_in(self, begin, end):
        """Whether it is in a window for some time, or, if it is a moment, at all."""
        return begin <= self.begin < end if self.end is None else under_way(self.begin, self.end, begin, end)


def exchanges(trace):
    """All messages, words and transfers."""
    found = [Exchange("message", s, r, size, begin, end, posted)
             for s, r, _, size, begin, end, posted in messages(trace, lost=True)[0]]
    found += [Exchange("mailbox", s, r, 4, begin, end, posted) for s, r, begin, end, posted in words(trace)]
    for r in trace.records:
        if r.meaning.role == "transfer":
            pair = ("memory", r.actor) if "GET" in r.name or "READ" in r.name else (r.actor, "memory")
            moment = r.begun is None
            found.append(Exchange("transfer", *pair, r.what["bytes"], r.at if moment else r.begun, None if moment else r.at))
    return found


def comm_in(found, begin, end):
    """(what, sender, receiver) -> count, bytes and time in a window of what is under way in it for some time."""
    rows = {}
    for x in found:
        if x.is_in(begin, end):
            row = rows.setdefault((x.what, x.sender, x.receiver), {"count": 0, "bytes": 0, "time": 0})
            row["count"] += 1
            row["bytes"] = None if None in (row["bytes"], x.bytes) else row["bytes"] + x.bytes
            known = x.end is not None and row["time"] is not None
            row["time"] = row["time"] + min(x.end, end) - max(x.begin, begin) if known else None
    return rows


def latency_in(found, class_of, begin, end):
    """(what, class, bytes) -> figures of the same, whole; class_of has partners."""
    groups, rows = collections.defaultdict(list), {}
    for x in found:
        if x.is_in(begin, end):
            groups[x.what, class_of(x), x.bytes].append(x)
    for key, group in groups.items():
        rows[key] = dict.fromkeys(("least", "mean", "median", "late_sender"))
        if all(x.end is not None for x in group):
            times = sorted(x.end - x.begin for x in group)
            rows[key] = {"least": times[0], "mean": Fraction(sum(times), len(times)), "median": times[(len(times) - 1) // 2],
                         "late_sender": sum(max(0, x.begin - x.posted) for x in group if x.posted is not None)}
        rows[key]["messages"] = len(group)
    return rows


def line_of(group):
    """(intercept, slope) of the line through latencies over bytes by least squares; none if all are of one size."""
    n, sizes, times = len(group), [x.bytes for x in group], [x.end - x.begin for x in group]
    spread = n * sum(size * size for size in sizes) - sum(sizes)**2
    if spread == 0:
        return None
    slope = Fraction(n * sum(size * time for size, time in zip(sizes, times)) - sum(sizes) * sum(times), spread)
    return Fraction(sum(times), n) - slope * Fraction(sum(sizes), n), slope


def lines_in(found, class_of):
    """(what, class) -> what has a line there, and the line, or none."""
    groups = collections.defaultdict(list)
    for x in found:
        if x.bytes is not None and x.end is not None:
            groups[x.what, class_of(x)].append(x)
    return {key: (group, line_of(group)) for key, group in groups.items()}


def waits(actors):
    """(class, object) -> (count, time, greatest, misses) of all actors, but PPE threads' and SPEs' alike; calls that wait
    are as long as they were recorded, also where they cross."""
    rows = collections.defaultdict(lambda: [0, 0, 0, 0])
    for actor in actors:
        for stay in actor.stays:
            records = [r for r in stay.records if is_wait(r)]
            for r, (a, b, _, cls) in zip(records, waits_of(actor, stay)):
                a = min(r.begun, b) if r.meaning.stalls else a
                row = rows[cls, r.what.get("object")]
                row[:] = row[0] + 1, row[1] + b - a, max(row[2], b - a), row[3] + r.what.get("miss", 0)
    return {key: tuple(row) for key, row in rows.items()}


def waits_in(actors, begin, end, key=lambda record, cls: cls):
    """class, or what key says, -> (count, time, greatest) of what is in that window of waits that are under way in it for
    some time."""
    rows = collections.defaultdict(lambda: [0, 0, 0])
    for actor in actors:
        for stay in actor.stays:
            records = [r for r in stay.records if is_wait(r)]
            for r, (a, b, _, cls) in zip(records, waits_of(actor, stay)):
                a = min(r.begun, b) if r.meaning.stalls else a
                if under_way(a, b, begin, end):
                    time, row = min(b, end) - max(a, begin), rows[key(r, cls)]
                    row[:] = row[0] + 1, row[1] + time, max(row[2], time)
    return {key: tuple(row) for key, row in rows.items()}


def waits_by_object(actors, begin, end):
    """(class, object) -> (count, time, greatest), as waits_in has it."""
    return waits_in(actors, begin, end, lambda record, cls: (cls, record.what.get("object")))


def held(trace):
    """(lock, actor) -> (times it was held, for how long), between the records of one actor."""
    since, rows = {}, collections.defaultdict(lambda: [0, 0])
    for r in trace.records:
        key = (r.what.get("object"), r.actor)
        if r.meaning.role == "acquire":
            since[key] = r.at
        elif r.meaning.role == "release" and key in since:
            row = rows[key]
            row[:] = row[0] + 1, row[1] + r.at - since.pop(key)
    return {key: tuple(row) for key, row in rows.items()}


def locks_in(trace, begin, end, chosen=None):
    """(lock, holder) -> holds and held, of those that are chosen and what someone lets go of; and waits and waited, of those
    that are chosen and got it next after this holder, itself not: all that is under way in that window for some time."""
    released = {r.what.get("object") for r in trace.records if r.meaning.role == "release"}
    since, last, rows = {}, {}, collections.defaultdict(collections.Counter)
    for r in trace.records:
        lock = r.what.get("object")
        mine = chosen is None or r.actor in chosen
        if r.meaning.role == "acquire":
            other = last.get(lock, r.actor)
            if mine and other != r.actor and r.begun is not None and r.begun < r.at and under_way(r.begun, r.at, begin, end):
                rows[lock, other].update(waits=1, waited=min(r.at, end) - max(r.begun, begin))
            since[lock, r.actor], last[lock] = r.at, r.actor
        elif r.meaning.role == "release" and (lock, r.actor) in since:
            a = since.pop((lock, r.actor))
            if mine and under_way(a, r.at, begin, end):
                rows[lock, r.actor].update(holds=1, held=min(r.at, end) - max(a, begin))
    names = {True: ("holds", "held", "waits", "waited"), False: ("waits", "waited")}
    return {(lock, who): {name: row[name] for name in names[lock in released and (chosen is None or who in chosen)]}
            for (lock, who), row in rows.items()}


def instances_in(trace, begin, end, chosen=None):
    """(event, group, instance) -> actor -> when it arrived, and how many of these are in that window, of barriers and
    collective operations that have one there; only those at which one that is chosen arrives."""
    turns, found = collections.Counter(), collections.defaultdict(dict)
    for r in trace.records:
        if r.meaning.role in ("barrier", "collective"):
            group = r.what.get("comm") if r.meaning.role == "collective" else r.what.get("object")
            key = r.name, group
            found[*key, turns[key, r.actor]][r.actor] = r.at if r.begun is None else r.begun
            turns[key, r.actor] += 1
    rows = {key: (arrivals, sum(begin <= at < end for at in arrivals.values())) for key, arrivals in found.items()}
    return {key: row for key, row in rows.items() if row[1] and (chosen is None or chosen & set(row[0]))}


def barriers(trace, role="barrier"):
    """[(actors, first arrival, last arrival, who came last)]: the k-th barrier of each actor is the k-th of all."""
    turns, groups = collections.Counter(), collections.defaultdict(list)
    for r in trace.records:
        if r.meaning.role == role:
            groups[r.name, turns[r.name, r.actor]].append((r.at if r.begun is None else r.begun, r.actor))
            turns[r.name, r.actor] += 1
    return [(len(group), min(group)[0], max(group)[0], max(group)[1]) for _, group in sorted(groups.items())]


# ---------------------------------------------------------------------------------------------------------- main

def tables(trace):
    """Name -> rows, of all that is worked out here."""
    actors = actors_of(trace)
    calls, (times, classes), (rows, sums) = calls_of(trace, actors), states(actors), concurrency(actors)
    found, unmatched = messages(trace)
    return {
        "concurrency": rows + list(sums.items()),
        "states": [(*key, t) for key, t in times.items()] + [(*key, *row) for key, row in classes.items()],
        "profile": [(key, *row.values()) for key, row in profile(calls, actors).items()],
        "calls": [(*key, *row) for key, row in call_pairs(calls).items()],
        "paths": [(";".join(key), *row) for key, row in call_paths(calls).items()],
        "comm": [(*key, *row) for key, row in communication(found).items()] + [("unmatched", unmatched)],
        "sync": [(*key, *row) for key, row in waits(actors).items()],
        "held": [(*key, *row) for key, row in held(trace).items()],
        "barriers": barriers(trace) + barriers(trace, "collective"),
    }


def main():
    path, *wanted = sys.argv[1:]
    trace = meaning.read_pex(path) if path.endswith(".pex") else meaning.read_csv(path)
    writer = csv.writer(sys.stdout, lineterminator="\n")
    for name, rows in tables(trace).items():
        if not wanted or name in wanted:
            writer.writerows((name, *row) for row in rows)


if __name__ == "__main__":
    main()
