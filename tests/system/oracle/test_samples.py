"""The sample traces: solver.py and cellsync against the bounds and offsets that stand beside each trace.

    test_samples.py CELLSYNC SAMPLES_DIR        CELLSYNC may be "-": then only solver.py is tested

A sample is NAME.pex or NAME.csv with NAME.bounds.csv (no event errors) and NAME.offsets.csv, made by a third solver at
the least delta that makes the trace feasible. solver.py must give them, and so must cellsync with its defaults, by either engine.
"""

import glob
import json
import os
import sys
import tempfile

import expect
import pexfile
import solver
import started
import witness
from compare import Mismatch, read, same


def clocks(path):
    """The local clocks of a sample."""
    if path.endswith(".csv"):
        return solver.clocked_csv(pexfile.read_csv(path))
    return solver.clocked_pex(pexfile.read_pex(path))


def offsets_csv(names, counts, offsets, earliest, latest):
    """The text of an offsets.csv."""
    lines = ["thread,records,offset_ticks,earliest_ticks,latest_ticks"]
    for name, *numbers in zip(names, counts, offsets, earliest, latest):
        lines.append(",".join([pexfile.quote(name), *map(expect.bound_text, numbers)]))
    return "".join(line + "\n" for line in lines)


def offsets_of_solution(solution):
    """The offsets.csv that a solution gives."""
    threads, n = solution.clocked.threads, range(len(solution.offsets))
    return offsets_csv([t.name for t in threads], [len(t.positions) for t in threads], solution.offsets,
                       map(solution.earliest, n), map(solution.latest, n))


def offsets_of_report(report):
    """The offsets.csv that a JSON report gives."""
    def column(key):
        return [thread[key] for thread in report["threads"]]

    earliest = ["-inf" if x is None else x for x in column("earliest_ticks")]
    latest = ["inf" if x is None else x for x in column("latest_ticks")]
    return offsets_csv(column("name"), column("records"), column("offset_ticks"), earliest, latest)


# ------------------------------------------------------------------------------------------------- the checks

def check_solver(base, solution):
    """The solver gives the bounds and offsets beside the trace."""
    lines = expect.csv_report(solution, base).decode().splitlines()
    more = lines[0].partition(",error_ticks")[2].count(",")
    bounds = "".join(line.rsplit(",", more)[0] + "\n" for line in lines)
    same(bounds, read(base + ".bounds.csv").decode(), "bounds of the solver")
    same(offsets_of_solution(solution), read(base + ".offsets.csv").decode(), "offsets of the solver")


def run(program, *arguments):
    """Runs cellsync, which must succeed."""
    done = started.run([program, *arguments], capture_output=True, timeout=60, check=False)
    if done.returncode:
        raise Mismatch(f"{' '.join([program, *arguments])}: exit status {done.returncode}: {done.stderr.decode()}")


def check_program(program, path, solution, engine):
    """cellsync gives the bounds, offsets, report and output of a solution."""
    with tempfile.TemporaryDirectory() as folder:
        json_path, csv_path = os.path.join(folder, "report.json"), os.path.join(folder, "bounds.csv")
        run(program, engine, f"--report={csv_path}", path)
        same(read(csv_path), expect.csv_report(solution, path), "bounds of cellsync")
        run(program, engine, f"--report={json_path}", path)
        report = json.loads(read(json_path), parse_float=str)
        same(offsets_of_report(report), offsets_of_solution(solution), "offsets of cellsync")
        witness.check_report(witness.of_json(report["witness"]), solution)
        report.pop("explanations")  # test_explanations.py
        same(report, expect.json_report(solution, path, report["witness"], report["diagnosis"], report["delta_profile"]), "report of cellsync")
        if path.endswith(".pex"):
            check_output(program, path, solution, engine, os.path.join(folder, "synced.pex"))


def check_output(program, path, solution, engine, target):
    """The synced trace holds the global times, and can be undone."""
    run(program, engine, f"--output={target}", path)
    run(program, "--check", target)
    original, synced = pexfile.read_pex(path), pexfile.read_pex(target)
    same(synced.trace, expect.global_trace(solution, original.trace), "synced trace")
    undone = pexfile.undo(synced, pexfile.synchronization(synced))
    same(undone, original.trace.records, "undone records")


def check_sample(program, base):
    """One sample; returns what to say of it."""
    path = next(base + suffix for suffix in (".pex", ".csv") if os.path.exists(base + suffix))
    solution = solver.solve(clocks(path), solver.Options())
    check_solver(base, solution)
    if program != "-":
        for engine in ("sweep", "dense"):
            check_program(program, path, solution, f"--engine={engine}")
    return f"delta {solution.delta}, {solution.clocked.assumed} gaps assumed"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    program = sys.argv[1] if sys.argv[1] == "-" else os.path.abspath(sys.argv[1])
    bases = [path.removesuffix(".bounds.csv") for path in sorted(glob.glob(os.path.join(sys.argv[2], "*.bounds.csv")))]
    failed = 0
    for base in bases:
        try:
            print(f"{os.path.basename(base)}: {check_sample(program, base)}")
        except (Mismatch, solver.Infeasible) as error:
            failed += 1
            print(f"{os.path.basename(base)}: FAILED: {type(error).__name__}: {error}")
    print(f"{len(bases) - failed} passed, {failed} failed")
    return 1 if failed or not bases else 0


if __name__ == "__main__":
    sys.exit(main())
