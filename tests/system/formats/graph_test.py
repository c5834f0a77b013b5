"""Graphs (--graph=x.dot) laid out by Graphviz, against the solver: every node, edge, weight, slack and bound.

    graph_test.py CELLSYNC TESTDATA [--seeds=N]

Where dot is not installed, the exit status is 77.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from math import inf

import inputs
import solver
import started
from compare import Mismatch, same

SKIPPED = 77


def escaped(name):
    """A name as graphs show it; DOT's own escapes are undone by the reader."""
    return "".join(c if c.isprintable() and c != "\\" else "".join(f"\\x{b:02x}" for b in c.encode()) for c in name)


def text(label):
    """A label of Graphviz's JSON: backslashes stay escaped in it."""
    return label.replace("\\\\", "\\")


def wanted_nodes(solution):
    return [f"{escaped(t.name)}\\n{g}" for t, g in zip(solution.clocked.threads, solution.offsets)]


def wanted_constraints(solution):
    """(s, t) -> label and style of the edges."""
    g, added = solution.offsets, solution.added_ticks
    graph = solver.without_loops(solver.tightest(solver.immediate_pairs(solution.clocked)))
    slacks = {(s, t): w + added - g[s] + g[t] for (s, t), w in graph.items()}
    return {(s, t): (f"{w}\\nslack {slacks[s, t]}", None, "bold" if slacks[s, t] == 0 else None)
            for (s, t), w in graph.items()}


def wanted_bounds(solution):
    """(s, t) -> label, tooltip and style of the edges."""
    found = {}
    for s, t in solver.pairs(solution):
        lower, upper = solution.bounds(s, t)
        found[s, t] = (str(upper - lower + 2 * solution.added_ticks), f"{lower} to {upper}",
                       "dashed" if upper - lower == inf else None)
    return found


def tree_weight(solution):
    """What a minimum spanning tree of the bounds weighs, by Kruskal, and how many edges it has."""
    group, weight, count = list(range(len(solution.offsets))), 0, 0
    for error, s, t in sorted((upper - lower + 2 * solution.added_ticks, s, t) for s, t in solver.pairs(solution)
                              for lower, upper in [solution.bounds(s, t)]):
        if error < inf and group[s] != group[t]:
            group = [group[s] if g == group[t] else g for g in group]
            weight, count = weight + error, count + 1
    return weight, count


def check_tree(edges, solution):
    """No more than what is wanted of all pairs, without a circle, and as light as can be."""
    wanted = wanted_bounds(solution)
    same(edges, {pair: wanted.get(pair) for pair in edges}, "edges of the tree")
    group = list(range(len(solution.offsets)))
    for s, t in edges:
        same(group[s] != group[t], True, "a tree without a circle")
        group = [group[s] if g == group[t] else g for g in group]
    same((sum(int(label) for label, _, _ in edges.values()), len(edges)), tree_weight(solution), "the tree's weight")


def laid_out(path):
    """Nodes and edges as Graphviz has read them."""
    done = subprocess.run(["dot", "-Tjson", "-Gsplines=line", path], capture_output=True, timeout=300, check=False)
    if done.returncode or done.stderr:
        raise Mismatch(f"dot: exit status {done.returncode}: {done.stderr.decode()}")
    graph = json.loads(done.stdout)
    nodes = graph.get("objects", [])
    same([node["name"] for node in nodes], [f"t{i}" for i in range(len(nodes))], "names of nodes")
    same(all("pos" in node for node in nodes), True, "nodes that have been placed")
    edges = {(edge["tail"], edge["head"]): (text(edge["label"]), edge.get("tooltip"), edge.get("style"))
             for edge in graph.get("edges", [])}
    same(len(edges), len(graph.get("edges", [])), "one edge a pair")
    return [text(node["label"]) for node in nodes], edges, graph["directed"]


def check(program, path, folder):
    """Both graphs of one trace; returns the number of edges."""
    solution, dot, count = inputs.solve(path).solution, os.path.join(folder, "x.dot"), 0
    n = len(solution.offsets)
    for kind, most, wanted in (("constraints", 100, wanted_constraints), ("bounds", 1000, wanted_bounds)):
        arguments = ["-q", f"--graph={dot}", f"--graph-of={kind}", path]
        if n > most:
            done = started.run([program, *arguments], capture_output=True, timeout=60, check=False)
            same((done.returncode, os.path.exists(dot)), (2, False), "a graph that is too large")
            continue
        inputs.run(program, *arguments)
        nodes, edges, directed = laid_out(dot)
        os.remove(dot)
        same(nodes, wanted_nodes(solution), "nodes")
        if kind == "bounds" and n > 12:
            check_tree(edges, solution)
        else:
            same(edges, wanted(solution), f"edges of {kind}")
        same(directed, kind == "constraints", "a directed graph")
        count += len(edges)
    return count


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("testdata")
    parser.add_argument("--seeds", type=int, default=6)
    args = parser.parse_args()
    if not shutil.which("dot"):
        print("skipped: dot, of Graphviz, is not installed")
        return SKIPPED
    edges, done, failed = 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for path in inputs.paths(args.testdata, folder, args.seeds, True):
            try:
                edges += check(os.path.abspath(args.program), path, folder)
                done += 1
            except Exception as error:  # whatever it is, the others go on
                failed += 1
                print(f"{path}: FAILED: {type(error).__name__}: {error}")
    print(f"{done} traces as wanted: {edges} edges; {failed} failed")
    return 1 if failed or edges == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
