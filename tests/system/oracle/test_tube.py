#!/usr/bin/env python3
"""Ranges of sums over the instants of one clock that drifts (tests/tools/tubes.c).

    test_tube.py TUBES [--seed=N] [--trials=N]

A linear program gives the same range: variables h, limits on each and on what each gains. It is solved here by its dual,
a shortest path at a time (successive shortest paths with Bellman and Ford), on random cases, so no code or method is
shared.
"""
import argparse
import random
import subprocess


def greatest(instants):
    """max sum c h by the dual: the cheapest flow that carries the coefficients to the limits."""
    n = len(instants)
    ground = n  # h of it is 0
    arcs = []  # (from, to, cost): h[from] - h[to] <= cost
    for i, (least, most, slow, fast, _) in enumerate(instants):
        arcs.append((i, ground, most))
        arcs.append((ground, i, -least))
        if i > 0:
            arcs.append((i, i - 1, fast))
            arcs.append((i - 1, i, -slow))
    flow = [0] * len(arcs)
    supply = [c for *_, c in instants]
    supply.append(-sum(supply))
    total = 0
    while any(supply):
        source = next(v for v in range(n + 1) if supply[v] > 0)
        distance = {source: 0}
        by = {}
        for _ in range(n + 2):
            changed = False
            for k, (s, t, cost) in enumerate(arcs):
                if s in distance and distance[s] + cost < distance.get(t, float("inf")):
                    distance[t], by[t], changed = distance[s] + cost, (k, 1), True
                if flow[k] > 0 and t in distance and distance[t] - cost < distance.get(s, float("inf")):
                    distance[s], by[s], changed = distance[t] - cost, (k, -1), True
            if not changed:
                break
        else:
            raise AssertionError("a cycle that costs less than 0: nothing fits")
        sink = min((v for v in range(n + 1) if supply[v] < 0 and v in distance), key=lambda v: distance[v])
        amount, path, v = min(supply[source], -supply[sink]), [], sink
        while v != source:
            k, way = by[v]
            path.append((k, way))
            if way < 0:
                amount = min(amount, flow[k])
            v = arcs[k][0] if way > 0 else arcs[k][1]
        for k, way in path:
            flow[k] += way * amount
        supply[source] -= amount
        supply[sink] += amount
        total += amount * distance[sink]
    return total


def draw(rng):
    """Limits around a path, so that something fits."""
    n = rng.randint(1, rng.choice((2, 6, 25)))
    scale = rng.choice((1, 3, 50, 10**6))
    most = rng.choice((1, 4, 100))
    h, out = rng.randint(-scale, scale), []
    for i in range(n):
        if rng.random() < 0.15:
            step = slow = fast = 0
        else:
            step = rng.randint(-scale, scale)
            slow, fast = step - rng.randint(0, scale), step + rng.randint(0, scale)
        h += step if i else 0
        c = rng.choice((0, 1, -1, rng.randint(-most, most)))
        out.append((h - rng.randint(0, 2 * scale), h + rng.randint(0, 2 * scale), slow, fast, c))
    return out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tubes")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--trials", type=int, default=2000)
    arguments = parser.parse_args()
    rng = random.Random(arguments.seed)
    cases = [draw(rng) for _ in range(arguments.trials)]
    text = "".join("".join("%d %d %d %d %d\n" % item for item in case) + "\n" for case in cases)
    lines = subprocess.run([arguments.tubes], input=text, capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(lines) == len(cases), (len(lines), len(cases))
    for number, (case, line) in enumerate(zip(cases, lines)):
        lower = -greatest([(*item[:4], -item[4]) for item in case])
        upper = greatest(case)
        assert line == f"{lower} {upper}", (arguments.seed, number, case, line, lower, upper)
    print(f"{len(cases)} tubes")


if __name__ == "__main__":
    main()
