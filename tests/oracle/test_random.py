"""Property test: random traces with a known truth through the command line, against the independent solver.

    test_random.py CELLSYNC [--seeds=N] [--first=SEED] [--jobs=N]

For every seed: reports, offsets, delta and synced output equal the solver's; undoing the output gives the original
bytes; --check accepts it and refuses it tampered with; CSV goes out and comes back; a second run writes the same
bytes; the truth is inside the bounds where the stamps are good; infeasible is exit 3, a witness and no output.

On a failure the seed, its command and the folder it left are printed; exit status 1.
"""

import argparse
import json
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction

import expect
import generate
import pexfile
import solver
from test_solver import check_truth, clocked_of

ALPHAS = [None, "0", "1", "1/3", "0.5", "0.25", "2/6", "123457/1000000"]


class Mismatch(AssertionError):
    """cellsync and the oracle differ."""


def same(found, wanted, what):
    """Compares, and names the first place where lists or dicts differ."""
    if found == wanted:
        return
    if isinstance(found, list) and isinstance(wanted, list) and len(found) == len(wanted):
        for index, (a, b) in enumerate(zip(found, wanted)):
            same(a, b, f"{what}[{index}]")
    if isinstance(found, dict) and isinstance(wanted, dict) and found.keys() == wanted.keys():
        for key in found:
            same(found[key], wanted[key], f"{what}.{key}")
    raise Mismatch(f"{what}: found {str(found)[:300]}, wanted {str(wanted)[:300]}")


def read(path):
    with open(path, "rb") as file:
        return file.read()


# ------------------------------------------------------------------------------------------------- one trace

@dataclass
class Case:
    """A seed: its trace, its options, and what the solver says."""
    seed: int
    program: str
    folder: str
    rng: random.Random
    made: generate.Generated = None
    clocked: solver.Clocked = None
    options: solver.Options = None
    arguments: list = field(default_factory=list)   # the options, as the command line has them
    solution: solver.Solution = None                # None: infeasible
    command: list = field(default_factory=list)     # the last that was run

    def subfolder(self, name):
        path = os.path.join(self.folder, name)
        os.makedirs(path)
        return path

    def run(self, *arguments, status=0, stdin=b""):
        """Runs cellsync; returns stdout and stderr once the exit status is as wanted."""
        self.command = [self.program, *arguments]
        done = subprocess.run(self.command, input=stdin, capture_output=True, timeout=60, check=False)
        if done.returncode != status:
            raise Mismatch(f"exit status {done.returncode}, wanted {status}: {done.stderr.decode()}")
        if re.search(rb"Sanitizer|runtime error", done.stderr):
            raise Mismatch(done.stderr.decode())
        return done.stdout, done.stderr

    def sync(self, *arguments, trace=None, status=0, stdin=b""):
        """Runs cellsync on the trace, or on another, with the options of the case."""
        return self.run(*self.arguments, *arguments, trace or self.made.path, status=status, stdin=stdin)


def decimal_text(value):
    """A fraction as a decimal, where it is one."""
    tenths = value * 1000
    return f"{float(value):.3f}" if tenths.denominator == 1 else str(value)


def choose_delta(case):
    """A --delta: the least that is feasible, just below it, the true imprecision, or any."""
    least = solver.least_delta(case.clocked)
    below = least - Fraction(1, case.rng.choice([3, 1000]))
    return case.rng.choice([least, max(Fraction(0), below), case.made.imprecision,
                            Fraction(case.rng.randint(0, 60), case.rng.randint(1, 7))])


def choose_reference(case):
    """The name of any thread, or of the one with most threads wholly before and wholly after it."""
    threads = case.clocked.threads

    def loneliness(thread):
        before = sum(t.positions[-1] < thread.positions[0] for t in threads)
        after = sum(t.positions[0] > thread.positions[-1] for t in threads)
        return min(before, after)

    return case.rng.choice([case.rng.choice(threads), max(threads, key=loneliness)]).name


def choose_options(case):
    """Options of the solver, and the same as arguments."""
    options, arguments = solver.Options(), []
    options.mode = case.rng.choice(["paper", "paper", "none", "given", "given"])
    if options.mode == "given":
        options.delta = choose_delta(case)
        text = decimal_text(options.delta) if case.rng.random() < 0.2 else str(options.delta)
        arguments.append(f"--delta={text}")
    elif options.mode == "none" or case.rng.random() < 0.5:
        arguments.append(f"--relax={options.mode}")
    alpha = case.rng.choice(ALPHAS)
    if alpha is not None:
        options.alpha = Fraction(alpha)
        arguments.append(f"--alpha={alpha}")
    if case.rng.random() < 0.5:
        options.reference = choose_reference(case)
        arguments.append(f"--reference={options.reference}")
    case.options, case.arguments = options, arguments


def solve_case(case):
    """Solves; returns whether it is feasible."""
    try:
        case.solution = solver.solve(case.clocked, case.options)
        return True
    except solver.Infeasible:
        return False


def relax_case(case):
    """Goes over to the relaxation that always has a solution."""
    case.options.mode, case.options.delta = "paper", Fraction(0)
    case.arguments = [a for a in case.arguments if not a.startswith(("--relax", "--delta"))]
    if not solve_case(case):
        raise Mismatch("the oracle's paper mode is infeasible")


# ------------------------------------------------------------------------------------------------- the checks

def check_infeasible(case):
    """Exit 3, a witness, nothing written."""
    folder = case.subfolder("infeasible")
    suffix = os.path.splitext(case.made.path)[1]
    outputs = [f"--output={folder}/trace{suffix}", f"--report={folder}/trace.json"]
    stdout, stderr = case.sync(*outputs, status=3)
    same(os.listdir(folder), [], "files left by an infeasible run")
    same(stdout, b"", "stdout of an infeasible run")
    check_witness(case, stderr.decode())


def places(case):
    """Where each record stands, as messages say it: the line of a CSV, the offset in the file or what it unpacks to."""
    if case.made.kind == "pex":
        pex = pexfile.read_pex(case.made.path)
        packed = pexfile.attribute(pex.root, "trace_file", "compression", "none") == "gzip"
        start = read(case.made.path).index(b"\0") + 1 if pex.embedded and not packed else 0
        return [start + offset for offset in pexfile.record_offsets(pexfile.pack_trace(pex.trace))]
    trace = pexfile.read_csv(case.made.path)
    before = len(trace.comments) + 1 + trace.header.count(b"\n")
    return [before + b"".join(trace.raw_rows[:i]).count(b"\n") for i in range(len(trace.raw_rows))]


def check_edge(case, where, edge):
    """One constraint of a witness: its records, where they stand, their times, its weight; returns (s, t, w)."""
    a, place_a, time_a, b, place_b, time_b, w = map(int, edge)
    same((place_a, place_b), (where[a], where[b]), "places of the witness")
    same((time_a, time_b), (case.clocked.time[a], case.clocked.time[b]), "times of the witness")
    same((a < b, w), (True, time_b - time_a), "weight of the witness")
    return case.clocked.owner[a], case.clocked.owner[b], w


def check_witness(case, stderr):
    """The witness closes, is simple, sums to what is claimed, and contradicts the delta."""
    head = re.search(r"witness: (\d+) constraints? in a cycle sum to (-\d+) < 0", stderr)
    found = re.findall(r"record (\d+) \(\w+ (\d+)\) of .* at (-?\d+) stands before "
                       r"record (\d+) \(\w+ (\d+)\) of .* at (-?\d+): .* <= (-?\d+)$", stderr, re.MULTILINE)
    if not head or not found:
        raise Mismatch(f"no witness: {stderr}")
    where = places(case)
    edges = [check_edge(case, where, edge) for edge in found]
    starts, ends, weights = zip(*edges)
    same((len(edges), sum(weights)), (int(head.group(1)), int(head.group(2))), "length and sum of the witness")
    same(starts[1:] + starts[:1], ends, "ends of the witness")
    same(len(set(starts)), len(starts), "threads of the witness")
    needs = Fraction(-sum(weights), 2 * len(edges))
    same(re.search(r"at least (\d+(/\d+)?)", stderr).group(1), str(needs), "delta that the witness needs")
    same(needs > case.options.delta, True, "the witness contradicts the delta")


def check_report(case, path):
    """The JSON report, every field, the order of the keys and the digits of the means."""
    report = json.loads(read(path), parse_float=str)
    wanted = expect.json_report(case.solution, case.made.path)
    same(report, wanted, "report")
    same(json.dumps(report), json.dumps(wanted), "report, in order")


def check_csv_report(case, folder):
    """The CSV report, byte for byte."""
    path = os.path.join(folder, "bounds.csv")
    case.sync(f"--report={path}")
    same(read(path).decode().split("\n"), expect.csv_report(case.solution).decode().split("\n"), "CSV report")


def check_text_report(case):
    """The figures of Table 1 stand in the text report."""
    stdout, _ = case.sync()
    words = [word.strip(",:;()") for word in stdout.decode().split()]
    for figure in expect.table_1(case.solution):
        if figure not in words:
            raise Mismatch(f"text report: no {figure}")


def check_again(case, folder, outputs):
    """A second run writes the same bytes."""
    again = case.subfolder("again")
    case.sync(*[o.replace(folder, again) for o in outputs])
    same(sorted(os.listdir(again)), sorted(os.listdir(folder)), "files of the second run")
    for name in os.listdir(folder):
        same(read(os.path.join(again, name)), read(os.path.join(folder, name)), f"second run, {name}")


def check_true_offsets(case):
    """The truth is inside every bound where the stamps are as good as the delta says."""
    truth = generate.true_offsets(case.clocked, case.made.true_stamps)
    if truth and case.solution.added_ticks >= 2 * case.made.imprecision:
        check_truth(case.solution, truth)


# ----------------------------------------------------------------------------------------------- .pex output

def elements(root):
    """A document as comparable lists, without what cellsync sets; text of white space only does not count."""
    skip = ("clock", "trace_file", "synchronization")
    return [root.tag, root.attrib, (root.text or "").strip(), (root.tail or "").strip(),
            [elements(child) for child in root if child.tag not in skip]]


def check_document(pex, original, href):
    """Every element, attribute and comment is kept; clock and trace_file are set."""
    same(elements(pex.root), elements(original.root), "document")
    same(pex.root.find("trace_file").attrib.get("href"), href, "href")
    same(pexfile.attribute(pex.root, "trace_file", "compression", "none"), "none", "compression")
    same(pex.root[-1].tag, "synchronization", "last child")


def check_spe(thread, row):
    """spe stands where an IN says it; where only an OUT does, it may."""
    allowed = [thread.spe] if thread.spe is not None else [thread.spe_of_out, None]
    found = pexfile.number(row["spe"]) if "spe" in row else None
    if found not in allowed:
        raise Mismatch(f"{thread.name}: spe {found}, wanted {allowed}")


def check_table(case, pex, original_bytes):
    """The synchronization table."""
    element = pex.root[-1]
    same(element.attrib, expect.table_attributes(case.solution, original_bytes), "synchronization")
    same(len(element), len(case.clocked.threads), "rows of the table")
    for t, (row, thread) in enumerate(zip(element, case.clocked.threads)):
        same(row.tag, "ppe_thread" if thread.kind == "ppe" else "live_interval", f"row {t}")
        check_spe(thread, row.attrib)
        found = {key: value for key, value in row.attrib.items() if key != "spe"}
        same(found, expect.table_row(case.solution, t), f"table, {thread.name}")


def check_synced(case, pex, href):
    """A synced .pex against the solver: records, table, document, undo."""
    original = pexfile.read_pex(case.made.path)
    original_bytes = pexfile.pack_records(original.trace.records)
    wanted = expect.global_trace(case.solution, original.trace)
    same(vars(pex.trace) | {"records": 0}, vars(wanted) | {"records": 0}, "file header")
    for position, (found, record) in enumerate(zip(pex.trace.records, wanted.records)):
        same(vars(found), vars(record), f"record {position}")
    check_document(pex, original, href)
    check_table(case, pex, original_bytes)
    undone = pexfile.undo(pex, pexfile.synchronization(pex))
    same(pexfile.pack_records(undone), original_bytes, "undone records")


def check_pipe(case):
    """On standard output stands the embedded form, which standard input takes."""
    stdout, _ = case.sync("--output=-")
    check_synced(case, pexfile.parse_pex(stdout, ""), None)
    case.run("--check", "-", stdin=stdout)


def check_pex(case):
    """All that concerns a .pex trace that can be solved."""
    folder = case.subfolder("out")
    embed = case.rng.random() < 0.3
    outputs = [f"--output={folder}/trace.pex", f"--report={folder}/trace.json"] + (["--embed"] if embed else [])
    same(case.sync(*outputs)[0], b"", "stdout")
    same(sorted(os.listdir(folder)), ["trace.json", "trace.pex"] + ([] if embed else ["trace.trace"]), "files")
    check_report(case, os.path.join(folder, "trace.json"))
    synced = os.path.join(folder, "trace.pex")
    check_synced(case, pexfile.read_pex(synced), None if embed else "trace.trace")
    case.run("--check", synced)
    case.sync(trace=synced, status=1)       # it is global already
    check_tampered(case, folder, embed)
    check_again(case, folder, outputs)
    check_csv_report(case, case.subfolder("csv"))
    check_text_report(case)
    check_pipe(case)
    check_to_csv(case)


# ------------------------------------------------------------------------------------------------- tampering

def other_number(rng, text):
    """Another number in place of one."""
    if text.startswith("0x"):
        return f"0x{int(text, 16) ^ 1 << rng.randrange(32):08x}"
    return str(int(text) + rng.choice([-3, -1, 1, 2, 1000] if int(text) > 3 else [1, 2, 1000]))


def tamper_table(rng, data):
    """Changes one number of the table."""
    start = data.rindex(b"<synchronization")
    numbers = [m for m in re.finditer(rb'\w+="(-?\d+|0x[0-9a-f]+)"', data[start:data.index(b"</pdt_trace", start)])
               if not m.group().startswith((b"spe=", b"alpha="))]
    match = rng.choice(numbers)
    a, b = start + match.start(1), start + match.end(1)
    return data[:a] + other_number(rng, match.group(1).decode()).encode() + data[b:]


def tamper_stamp(rng, data):
    """Changes the time or begin of one record of the bytes of a synced .trace."""
    at = rng.choice(pexfile.record_offsets(data)) + pexfile.RECORD_HEADER.size + 8 * rng.randrange(2)
    stamp = int.from_bytes(data[at:at + 8], "big")
    stamp = (stamp + rng.choice([-1, 1, 17, -1000, 2**32])) % 2**64
    return data[:at] + stamp.to_bytes(8, "big") + data[at + 8:]


def tamper_byte(rng, data):
    """Changes a byte of a record's event id, thread, pc, values or trailing bytes."""
    offsets = pexfile.record_offsets(data) + [len(data)]
    index = rng.randrange(len(offsets) - 1)
    size = offsets[index + 1] - offsets[index]
    at = offsets[index] + rng.choice([4, 5, *range(8, 16), *range(32, size)])
    return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1:]


def check_tampered(case, folder, embed):
    """--check refuses the output once a number of it is changed."""
    copy = os.path.join(case.folder, "tampered")
    shutil.copytree(folder, copy)
    tamper = case.rng.choice([tamper_table, tamper_stamp, tamper_byte])
    target = os.path.join(copy, "trace.pex" if embed or tamper is tamper_table else "trace.trace")
    data = read(target)
    document, nul, records = data.partition(b"\0") if target.endswith(".pex") else (b"", b"", data)
    if tamper is tamper_table:
        document = tamper(case.rng, document)
    else:
        records = tamper(case.rng, records)
    with open(target, "wb") as file:
        file.write(document + nul + records)
    _, stderr = case.run("--check", os.path.join(copy, "trace.pex"), status=1)
    same(stderr[:10], b"cellsync: ", "message of --check")


# -------------------------------------------------------------------------------------------------------- CSV

def check_csv_back(case, path):
    """A CSV that cellsync wrote, fed back in, gives the same bounds and is carried unchanged."""
    folder = case.subfolder("back")
    back, bounds = os.path.join(folder, "back.csv"), os.path.join(folder, "bounds.csv")
    case.sync(f"--output={back}", f"--report={bounds}", trace=path)
    same(read(bounds), expect.csv_report(case.solution), "bounds of the CSV fed back")
    same(read(back), read(path), "the CSV fed back")


def check_to_csv(case):
    """A .pex trace written as CSV."""
    path = os.path.join(case.subfolder("to_csv"), "trace.csv")
    case.sync(f"--output={path}")
    wanted = expect.csv_trace(case.solution, pexfile.read_pex(case.made.path))
    same(read(path).decode().split("\n"), wanted.decode().split("\n"), "CSV trace")
    check_csv_back(case, path)


def check_csv(case):
    """All that concerns a CSV trace that can be solved."""
    folder = case.subfolder("out")
    path = os.path.join(folder, "trace.csv")
    outputs = [f"--output={path}", f"--report={folder}/trace.json"]
    same(case.sync(*outputs)[0], b"", "stdout")
    check_report(case, os.path.join(folder, "trace.json"))
    wanted = pexfile.csv_with_global_time(pexfile.read_csv(case.made.path), case.solution.global_times)
    same(read(path).split(b"\n"), wanted.split(b"\n"), "CSV trace")
    same(case.sync("--output=-", trace="-", stdin=read(case.made.path))[0], wanted, "CSV trace in a pipe")
    check_again(case, folder, outputs)
    check_csv_report(case, case.subfolder("csv"))
    check_text_report(case)
    check_csv_back(case, path)
    case.sync(f"--output={folder}/trace.pex", status=2)


# ----------------------------------------------------------------------------------------------------- seeds

def prepare(case):
    """Draws the trace and the options of a seed."""
    case.made = generate.generate(case.seed, case.folder)
    case.clocked = clocked_of(case.made)
    choose_options(case)


def check_case(case):
    """Everything about one seed."""
    if not solve_case(case):
        check_infeasible(case)
        relax_case(case)
    check_true_offsets(case)
    (check_csv if case.made.kind == "csv" else check_pex)(case)


def run_seed(seed, program):
    """Checks a seed; returns None, or the description of its failure."""
    folder = tempfile.mkdtemp(prefix=f"cellsync-seed-{seed}-")
    case = Case(seed, program, folder, random.Random(f"options {seed}"))
    try:
        prepare(case)
        check_case(case)
    except Exception as error:      # whatever goes wrong belongs to this seed
        return (f"seed {seed} failed: {type(error).__name__}: {error}\n"
                f"  command: {shlex.join(case.command)}\n  folder: {folder}\n"
                f"  again: test_random.py {program} --first={seed} --seeds=1")
    shutil.rmtree(folder)
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="CELLSYNC")
    parser.add_argument("--seeds", type=int, default=500)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.program)
    seeds = range(arguments.first, arguments.first + arguments.seeds)
    print(f"seeds {seeds[0]} to {seeds[-1]}", flush=True)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        failures = [text for text in pool.map(lambda seed: run_seed(seed, program), seeds) if text]
    for text in failures[:10]:
        print(text)
    print(f"{len(seeds) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
