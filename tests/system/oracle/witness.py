"""Witnesses: the cycles of constraints that cellsync shows in its reports and messages, against the records.

An edge says that record a comes before record b, so that g[s] - g[t] <= time_b - time_a for their threads s and t.
A cycle of `length` such edges that sum to `weight` < 0 is proof that no delta below -weight / (2 length) will do.
"""

import re
from dataclasses import dataclass
from fractions import Fraction

from compare import Mismatch, same

EDGE_KEYS = ["s", "record_s", "time_s", "t", "record_t", "time_t", "weight_ticks"]


@dataclass
class Edge:
    """One constraint; weight, places and names only where they are shown."""
    record_s: int
    time_s: int
    record_t: int
    time_t: int
    weight: int = None
    places: tuple = None
    names: tuple = None


@dataclass
class Witness:
    """The edges, and what is claimed of them."""
    length: int
    weight: int
    edges: list


def of_json(witness):
    """The witness of a JSON report, or None."""
    if witness is None:
        return None
    same(list(witness), ["weight_ticks", "least_drift_ppb", "length", "edges"], "keys of the witness")
    for edge in witness["edges"]:
        same(list(edge), EDGE_KEYS, "keys of an edge of the witness")
    edges = [Edge(e["record_s"], e["time_s"], e["record_t"], e["time_t"], e["weight_ticks"], names=(e["s"], e["t"]))
             for e in witness["edges"]]
    return Witness(witness["length"], witness["weight_ticks"], edges)


def of_text(report):
    """The witness of a text report, or None."""
    head = re.search(r"^witness +a cycle of (\d+) constraints? with a sum of (-\d+) ticks(?:, which needs a delta .*)?$", report, re.MULTILINE)
    found = re.findall(r"^ +record (\d+) of .* at (-?\d+), before record (\d+) of .* at (-?\d+)$", report, re.MULTILINE)
    edges = [Edge(*map(int, edge)) for edge in found]
    return Witness(int(head.group(1)), int(head.group(2)), edges) if head else None


def of_messages(stderr):
    """The witness of an infeasible run."""
    head = re.search(r"witness: a cycle of (\d+) constraints? with a sum of (-\d+) ticks", stderr)
    found = re.findall(r"record (\d+) \(\w+ (\d+)\) of .* at (-?\d+) comes before "
                       r"record (\d+) \(\w+ (\d+)\) of .* at (-?\d+): .* <= (-?\d+)$", stderr, re.MULTILINE)
    if not head or not found:
        raise Mismatch(f"no witness: {stderr}")
    edges = [Edge(a, time_a, b, time_b, w, places=(place_a, place_b))
             for a, place_a, time_a, b, place_b, time_b, w in (map(int, edge) for edge in found)]
    return Witness(int(head.group(1)), int(head.group(2)), edges)


def check_edge(edge, clocked, places):
    """One constraint: its records, their threads and times, its weight; returns (s, t, w)."""
    a, b = edge.record_s, edge.record_t
    s, t, w = clocked.owner[a], clocked.owner[b], clocked.time[b] - clocked.time[a]
    same((edge.time_s, edge.time_t), (clocked.time[a], clocked.time[b]), "times of the witness")
    same((a < b, edge.weight), (True, w if edge.weight is not None else None), "weight of the witness")
    if edge.names:
        same(edge.names, (clocked.threads[s].name, clocked.threads[t].name), "threads of the witness")
    if edge.places:
        same(edge.places, (places[a], places[b]), "places of the witness")
    return s, t, w


def check(witness, clocked, places=None):
    """The witness closes, is simple, and sums to what is claimed; returns the delta that it needs."""
    starts, ends, weights = zip(*[check_edge(edge, clocked, places) for edge in witness.edges])
    same((witness.length, witness.weight), (len(weights), sum(weights)), "length and sum of the witness")
    same(starts[1:] + starts[:1], ends, "ends of the witness")
    same(len(set(starts)), len(starts), "a witness that is simple")
    return Fraction(-sum(weights), 2 * len(weights))


def check_report(witness, solution):
    """A report has a witness if it found a delta above 0, and then the witness needs exactly that."""
    wanted = solution.options.mode == "exact" and solution.delta > 0
    same(witness is not None, wanted, "a witness in the report")
    if witness:
        same(check(witness, solution.clocked), solution.delta, "delta that the witness needs")
