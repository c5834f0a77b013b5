"""--explain: the chains of constraints that set the ends of a bound, against the records and the solver's bounds."""

import re

import expect
import people
import witness
from compare import Mismatch, same

RECORD = r"record (\d+) \(\w+ (\d+)\) of .* at (-?\d+), global (-?\d+)(?: \(moved forward by (\d+)\))?"
HEAD = re.compile(r"^g\[.*\] - g\[.*\] (<=|>=) (-?\d+), from (\d+) constraints? with (\d+) added to each; total slack (\d+)$")
NONE = re.compile(r"^g\[.*\] - g\[.*\] has no (upper|lower) limit, because no chain of records leads from (.*) to (.*); "
                  r"a record of \3 after a record of \2 would give this limit$")
EDGE = re.compile(rf"^  {RECORD}\n    before {RECORD}: weight (-?\d+), slack (\d+)$", re.MULTILINE)
CLOSER = re.compile(r"^  to move this end closer by at most (\d+): a record of .* after (-?\d+) or of .* before (-?\d+), "
                    r"between records (\d+) and (\d+)$", re.MULTILINE)
FAR = float("inf")


def immediate(clocked, a, b):
    """Whether record b is the next one."""
    return b == a + 1 and clocked.owner[a] != clocked.owner[b]


def check_edge(numbers, solution, places, neighbours):
    """A true constraint of the trace, with the slack that the offsets leave; returns (s, t, weight, slack)."""
    a, place_a, time_a, global_a, raised_a, b, place_b, time_b, global_b, raised_b, weight, slack = numbers
    edge = witness.Edge(a, time_a, b, time_b, weight, places=(place_a, place_b))
    s, t, w = witness.check_edge(edge, solution.clocked, places)
    # Slack is that of the offsets, whether times are raised or not.
    placed = global_a - raised_a, global_b - raised_b
    same(placed, (solution.global_times[a], solution.global_times[b]), "global times of a chain")
    for record, shown, raised in ((a, global_a, raised_a), (b, global_b, raised_b)):
        if raised:
            same(shown, max(solution.global_times[:record + 1]), "a time that --monotonic raises")
    same(slack, placed[1] - placed[0] + solution.added_ticks, "slack of a chain")
    same(not neighbours or immediate(solution.clocked, a, b), True, "neighbours in a chain")
    return s, t, w, slack


def check_advice(text, edges):
    """The edge with most slack is the one that is named."""
    most = max(edge[11] for edge in edges)
    found = CLOSER.search(text)
    if most == 0:
        same(found, None, "no advice")
        return
    slack, after, before, a, b = map(int, found.groups())
    edge = next(edge for edge in edges if edge[11] == most)
    same((slack, after, before, a, b), (most, edge[2], edge[7], edge[0], edge[5]), "advice")


def check_chain(text, solution, places, s, t, end, sign):
    """One end: it leads from s to t and sums to what the solver has."""
    if NONE.match(text):
        same(end, FAR, "an end that is missing")
        return
    head = HEAD.match(text.splitlines()[0])
    if not head:
        raise Mismatch(f"no head of a chain: {text}")
    edges = [tuple(int(number or 0) for number in found) for found in EDGE.findall(text)]
    neighbours = solution.added_ticks == 0 or solution.options.mode == "paper"
    starts, ends, weights, slacks = zip(*[check_edge(edge, solution, places, neighbours) for edge in edges])
    same((starts[0], ends[-1], starts[1:]), (s, t, ends[:-1]), "threads of a chain")
    same(len(set(starts)), len(starts), "a chain that is simple")
    same(int(head.group(2)) * sign, sum(weights) + len(weights) * solution.added_ticks, "sum of a chain")
    same(int(head.group(2)) * sign, end, "end of a bound")
    same([int(head.group(i)) for i in (3, 4, 5)], [len(edges), solution.added_ticks, sum(slacks)], "head of a chain")
    check_advice(text, edges)


def check_errors(lines, solution, bound):
    """How well the two are known: exact, or limited by what stamps are good to."""
    def line(what, ticks):
        return f"{what} {ticks} tick{'' if ticks == 1 else 's'}, {people.time_text(ticks, hz)}"

    hz, added = solution.clocked.timebase_hz, solution.added_ticks
    if bound == FAR:
        same(lines, ["error bound unlimited"], "an error without end")
        return
    expected = [line("error bound", bound)]
    if added > 0:
        delta = people.time_text(solution.delta, hz)
        condition = (f"if every timestamp is correct to within {delta}" if solution.options.mode == "given" else
                     f"if no timestamp is off by more than {delta}, which is an estimate")
        expected.append(f"{line('event error', bound + 2 * added)} at most, {condition}")
    same(lines, expected, "errors of a pair")


def check(text, solution, places, s, t, trace_name):
    """What --explain printed of threads s and t."""
    lower, upper = solution.bounds(s, t)
    second, errors = text.index("\ng[") + 1, text.index("\nerror bound ") + 1
    check_chain(text[:second], solution, places, s, t, upper, 1)
    check_chain(text[second:errors], solution, places, t, s, -lower, -1)
    lines = text[errors:].splitlines()
    rest = [f"bounds hold if {said}" for said in expect.conditions(solution, trace_name) if min(upper, -lower) < FAR]
    check_errors(lines[:len(lines) - len(rest)], solution, upper - lower)
    same(lines[len(lines) - len(rest):], rest, "what bounds rest on")
