"""methods.py on random traces: every cell of its table, from the definitions of the methods and the truth.

    test_methods_table.py CELLSYNC
"""

import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "oracle")]

import generate     # pylint: disable=wrong-import-position
import methods as definitions
import solver
from compare import same
from expect import mean_text
from test_solver import clocked_of

TRACES = 12


def exact_traces(folder):
    """Traces whose stamps are exact and whose every clock has one true offset, with these offsets."""
    found = []
    for seed in range(1, 400):
        made = generate.generate(seed, folder, f"t{seed}")
        if made.kind != "pex" or made.imprecision:
            continue
        clocked = clocked_of(made)
        offsets = generate.true_offsets(clocked, made.true_stamps)
        if offsets and clocked.ppe is not None and len(clocked.threads) > 2:
            found.append((made.path, clocked, offsets))
        if len(found) == TRACES:
            return found
    raise AssertionError(f"only {len(found)} such traces")


def write_truth(path, clocked, offsets):
    with open(path, "w", encoding="utf-8") as file:
        file.write("# imprecision_ticks=0\nthread,spe,offset_ticks\n")
        for thread, offset in zip(clocked.threads, offsets):
            if thread.kind == "spe":
                file.write(f"{thread.name},0,{offset - offsets[clocked.ppe]}\n")


def row(name, clocked, offsets, method):
    """What a row of the table must say."""
    if method == "bhh":
        ours = solver.solve(clocked, solver.Options()).global_times
    times = ours if method == "bhh" else definitions.place(clocked, method)[1]
    damages = definitions.damage(clocked, times)
    off = [g - t - offsets[o] for g, t, o in zip(times, clocked.time, clocked.owner)]
    errors = [abs(x - off[clocked.threads[clocked.ppe].positions[0]]) for x in off]
    return [name, method, *map(str, solver.inversions(times)), str(sum(d > 0 for d in damages)), str(len(damages)),
            str(max(damages, default=0)), mean_text(damages), mean_text(errors), str(max(errors))]


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        traces = exact_traces(folder)
        arguments = []
        for path, clocked, offsets in traces:
            write_truth(path + ".csv", clocked, offsets)
            arguments.append(f"{path}={path}.csv")
        done = subprocess.run([sys.executable, os.path.join(HERE, "methods.py"), program, *arguments],
                              capture_output=True, text=True, timeout=120, check=False)
    lines = done.stdout.splitlines()
    wanted = [row(os.path.basename(path).removesuffix(".pex"), clocked, offsets, method)
              for path, clocked, offsets in traces for method in ["bhh"] + definitions.METHODS]
    found = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:2 + len(wanted)]]
    same(found, wanted, "table")
    same(done.returncode, 0, f"exit status: {done.stderr}")
    same(lines[-1].startswith(f"Traces with neither a violation nor damage: bhh {TRACES} of {TRACES}, "), True, "verdict")
    print(done.stdout, end="")
    print(f"{len(wanted)} rows passed, 0 failed")


if __name__ == "__main__":
    sys.exit(main())
