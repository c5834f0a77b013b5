"""The oracle against itself, without cellsync: known answers, and the truth of random traces.

    test_solver.py [--seeds=N] [--first=SEED]
"""

import argparse
import sys
import tempfile
from fractions import Fraction

import expect
import generate
import pexfile
import solver

PAPER = "thread,time\nT1,0\nT2,0\nT3,3\nT1,10\nT1,16\nT3,10\nT2,10\n"


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def clocked_of(made, imprecision=None):
    """The local clocks of a generated trace; imprecision as clocked_pex takes it."""
    if made.kind == "csv":
        return solver.clocked_csv(pexfile.read_csv(made.path))
    return solver.clocked_pex(pexfile.read_pex(made.path), imprecision)


# ---------------------------------------------------------------------------------------------- known answers

def check_paper_example():
    """w(1,2) = 0, wbar(2,1) = 10, wbar(1,2) = -6 and g[2] = 8, as in Examples 1-5 of the paper."""
    clocked = solver.clocked_csv(pexfile.parse_csv(PAPER.encode()))
    graph = solver.tightest(solver.immediate_pairs(clocked))
    solution = solver.solve(clocked, solver.Options(reference="T1"))
    check(graph[0, 1] == 0 and solution.wbar[1][0] == 10 and solution.wbar[0][1] == -6, "bounds of the paper")
    check(solution.offsets[1] - solution.offsets[0] == 8, "offset of the paper")


def check_six_intervals():
    """IN r r OUT r r IN r OUT r r is six intervals: {r r} {r} {r} {r} {r} {r}."""
    records = []
    for word in "IN r r OUT r r IN r OUT r r".split():
        event = {"IN": pexfile.SWITCH_IN, "OUT": pexfile.SWITCH_OUT}.get(word)
        core = pexfile.SPE if event is None else pexfile.PPE
        records.append(pexfile.Record(core, event or 1, 7, 0, values=(7, 3)))
    switches = solver.Switches().walk(records)
    check([r.positions for r in switches.residencies] == [[1, 2], [4], [5], [7], [9], [10]], "six intervals")
    check(switches.stragglers == 4, "stragglers")

    records = [pexfile.Record(pexfile.SPE, 1, 7, 0), pexfile.Record(pexfile.PPE, pexfile.SWITCH_IN, 7, 0, values=(7, 3)),
               pexfile.Record(pexfile.SPE, 1, 7, 0)]
    for notifier, found in (False, [[0], [2]]), (True, [[0, 2]]):
        switches = solver.Switches(notifier).walk(records)
        check([r.positions for r in switches.residencies] == found, "a first IN after records")
        check(switches.lost_outs == len(found) - 1, "its lost OUT")


# ---------------------------------------------------------------------------------------------- random traces

def check_truth(solution, truth):
    """Every pair's true difference lies within its bounds."""
    for s, t in solver.pairs(solution):
        lower, upper = solution.bounds(s, t)
        check(lower <= truth[s] - truth[t] <= upper, f"the truth is outside the bounds of {s}, {t}")


def check_offsets(solution):
    """The offsets are within all bounds, and no inversion is larger than the model allows."""
    for s, t in solver.pairs(solution):
        lower, upper = solution.bounds(s, t)
        check(lower <= solution.offsets[s] - solution.offsets[t] <= upper, f"offsets {s}, {t}")
    count, largest = solver.inversions(solution.global_times)
    if solution.options.mode != "paper":
        check(largest <= solution.added_ticks and (count > 0) == (largest > 0), "inversions")


def check_closed(solution):
    """wbar is closed, and its diagonal is zero."""
    n = range(len(solution.wbar))
    check(all(solution.wbar[i][i] == 0 for i in n), "diagonal")
    check(all(solution.wbar[i][j] <= solution.wbar[i][k] + solution.wbar[k][j]
              for i in n for j in n for k in n), "closure")


def check_unwrapping(made, clocked, truth):
    """Where nothing was assumed nor written, and the stamps are good enough, every record is placed exactly."""
    if made.kind == "pex" and not made.written and clocked.assumed == 0:
        if 4 * made.imprecision <= clocked.imprecision:
            check(truth is not None and clocked.splits == 0, "unwrapping is wrong where it assumed nothing")


def check_least(clocked, least):
    """The least delta is feasible, and nothing below it is."""
    n, graph = len(clocked.threads), solver.tightest(solver.all_pairs(clocked))
    check(graph == solver.tightest_of_all(clocked), "the least of all pairs")
    check(solver.is_feasible(solver.loosened(graph, 2 * least), n), "least delta")
    below = least - Fraction(1, 1000)
    check(least == 0 or not solver.is_feasible(solver.loosened(graph, 2 * below), n), "below the least delta")
    immediate = solver.tightest(solver.immediate_pairs(clocked))
    check(solver.is_feasible(immediate, n) == (least == 0), "immediate predecessors at 0")


def check_exactness(least, solutions):
    """Where delta is 0 all modes agree."""
    if least == 0:
        check(all(s.delta == 0 and s.wbar == solutions[0].wbar for s in solutions), "modes differ at delta 0")


def check_undo(solution, pex):
    """Undoing what cellsync must write gives the original bytes."""
    synced = pexfile.Pex(pex.root, expect.global_trace(solution, pex.trace), False)
    rows = [expect.table_row(solution, t) for t in range(len(solution.offsets))]
    table = pexfile.Table({}, None, [row for row in rows if "ctx" in row])
    check(pexfile.undo(synced, table) == pex.trace.records, "undo")


def check_seed(seed, folder):
    """One random trace; returns what it was."""
    made = generate.generate(seed, folder)
    clocked = clocked_of(made)
    least = solver.least_delta(clocked)
    truth = generate.true_offsets(clocked, made.true_stamps)
    check_unwrapping(made, clocked, truth)
    options = [solver.Options("exact"), solver.Options("paper", alpha=Fraction(seed % 5, 4)),
               solver.Options("given", least)]
    if truth:
        check(least <= made.imprecision, "least delta exceeds the true imprecision")
        options.append(solver.Options("given", made.imprecision))
    solutions = [solver.solve(clocked, o) for o in options]
    for solution in solutions:
        check_closed(solution)
        check_offsets(solution)
    if truth:
        check_truth(solutions[-1], truth)
    check_least(clocked, least)
    check_exactness(least, solutions[:3])
    check(solutions[0].delta == least and solutions[0].wbar == solutions[2].wbar, "exact is the least delta given")
    if made.kind == "pex":
        check_undo(solutions[1], pexfile.read_pex(made.path))
    return made, clocked, solutions, truth


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--first", type=int, default=1)
    arguments = parser.parse_args()
    check_paper_example()
    check_six_intervals()
    for seed in range(arguments.first, arguments.first + arguments.seeds):
        with tempfile.TemporaryDirectory() as folder:
            try:
                check_seed(seed, folder)
            except Exception:
                print(f"seed {seed} failed; again: test_solver.py --first={seed} --seeds=1")
                raise
    print(f"{arguments.seeds} passed, 0 failed")


if __name__ == "__main__":
    sys.exit(main())
