"""Property test: random traces with a known truth through the command line, against the independent solver.

    test_random.py CELLSYNC [--seeds=N] [--first=SEED] [--jobs=N]

For every seed: reports, offsets, delta and synced output equal the solver's; undoing the output gives the original
bytes; --check accepts it and refuses it tampered with; CSV goes out and comes back; a second run and the other engine
write the same bytes; the truth is inside the bounds where the stamps are good; a found delta is forced by its witness;
infeasible is exit 3, a witness and no output; --explain shows chains that set the bound; --monotonic times
go up and are counted; strict unwrapping is true; --drop leaves out what it says (dropped.py). Seeds take turns at relaxations and engines.

On a failure the seed, its command and the folder it left are printed; exit status 1.
"""

import argparse
import itertools
import json
import os
import random
import re
import shlex
import shutil
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from fractions import Fraction

import dropped
import expect
import explain
import generate
import pexfile
import solver
import started
import witness
from compare import Mismatch, read, same, same_lines
from test_solver import check_truth, clocked_of
from trials import trials

MODES = ["exact", "paper", "none", "given"]
ENGINES = ["auto", "sweep", "dense"]
BY_DEFINITION = 100     # records of traces of which every pair is looked at, to see that the solver has the least of all pairs
ALPHAS = [None, "0", "1", "1/3", "0.5", "0.25", "2/6", "123457/1000000"]


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
    least: Fraction = None                          # the least delta that makes the trace feasible
    options: solver.Options = None
    engine: str = "auto"
    relaxation: list = field(default_factory=list)  # the options, as the command line has them: --relax or --delta,
    imprecision: list = field(default_factory=list) # --max-imprecision,
    choices: list = field(default_factory=list)     # and the others
    solution: solver.Solution = None                # None: infeasible
    command: list = field(default_factory=list)     # the last that was run

    @property
    def arguments(self):
        """The options as arguments."""
        return self.relaxation + self.engine_arguments(self.engine) + self.choices

    @property
    def other_engine(self):
        """The engine that the options do not come to; paper mode has only one."""
        return "dense" if self.options.mode == "paper" or self.engine != "dense" else "sweep"

    @staticmethod
    def engine_arguments(engine):
        return [] if engine == "auto" else [f"--engine={engine}"]

    def subfolder(self, name):
        path = os.path.join(self.folder, name)
        os.makedirs(path)
        return path

    def run(self, *arguments, status=0, stdin=b""):
        """Runs cellsync; returns stdout and stderr once the exit status is as wanted."""
        self.command = [self.program, *arguments]
        done = started.run(self.command, input=stdin, capture_output=True, timeout=60, check=False)
        if done.returncode != status:
            raise Mismatch(f"exit status {done.returncode}, wanted {status}: {done.stderr.decode()}")
        if re.search(rb"Sanitizer|runtime error", done.stderr):
            raise Mismatch(done.stderr.decode())
        return done.stdout, done.stderr

    def sync(self, *arguments, trace=None, status=0, stdin=b"", options=None):
        """Runs cellsync on the trace, or on another, with the options of the case, or others."""
        options = self.arguments if options is None else options
        return self.run(*options, *arguments, trace or self.made.path, status=status, stdin=stdin)


def decimal_text(value):
    """A fraction as a decimal, where it is one."""
    tenths = value * 1000
    return f"{float(value):.3f}" if tenths.denominator == 1 else str(value)


def choose_delta(case):
    """A --delta: the least that is feasible, just below it, the true imprecision, or any."""
    below = case.least - Fraction(1, case.rng.choice([3, 1000]))
    return case.rng.choice([case.least, max(Fraction(0), below), case.made.imprecision,
                            Fraction(case.rng.randint(0, 60), case.rng.randint(1, 7))])


def choose_reference(case):
    """The name of any thread, or of the one with most threads wholly before and wholly after it."""
    threads = case.clocked.threads

    def loneliness(thread):
        before = sum(t.positions[-1] < thread.positions[0] for t in threads)
        after = sum(t.positions[0] > thread.positions[-1] for t in threads)
        return min(before, after)

    return case.rng.choice([case.rng.choice(threads), max(threads, key=loneliness)]).name


def choose_relaxation(case, mode):
    """Sets how the case is relaxed, and by which engine."""
    options = case.options
    options.mode, options.delta, case.relaxation = mode, Fraction(0), [f"--relax={mode}"]
    if mode == "given":
        options.delta = choose_delta(case)
        text = decimal_text(options.delta) if case.rng.random() < 0.2 else str(options.delta)
        case.relaxation = [f"--delta={text}"]
    elif mode == "exact" and case.rng.random() < 0.5:
        case.relaxation = []
    case.engine = ENGINES[case.seed // len(MODES) % len(ENGINES)]
    if mode == "paper" and case.engine == "sweep":
        case.sync("--report=-", status=2)
        case.engine = "auto"


def choose_options(case):
    """Options of the solver, and the same as arguments."""
    case.options = solver.Options()
    alpha = case.rng.choice(ALPHAS)
    if alpha is not None:
        case.options.alpha = Fraction(alpha)
        case.choices.append(f"--alpha={alpha}")
    if case.rng.random() < 0.5:
        case.options.reference = choose_reference(case)
        case.choices.append(f"--reference={case.options.reference}")
    if case.rng.random() < 0.5:
        case.options.center = "local"
        case.choices.append("--center=local")
    choose_relaxation(case, MODES[case.seed % len(MODES)])


def solve_case(case):
    """Solves; returns whether it is feasible."""
    try:
        case.solution = solver.solve(case.clocked, case.options)
        return True
    except solver.Infeasible:
        return False


def relax_case(case):
    """Goes over to a relaxation that always has a solution."""
    choose_relaxation(case, case.rng.choice(["exact", "exact", "paper"]))
    if not solve_case(case):
        raise Mismatch("the oracle's relaxation is infeasible")


# ------------------------------------------------------------------------------------------------- the checks

def check_infeasible(case, options, delta):
    """Exit 3, a witness that contradicts the delta, nothing written."""
    folder = tempfile.mkdtemp(dir=case.folder)
    suffix = os.path.splitext(case.made.path)[1]
    outputs = [f"--output={folder}/trace{suffix}", f"--report={folder}/trace.json"]
    stdout, stderr = case.sync(*outputs, status=3, options=options)
    same(os.listdir(folder), [], "files left by an infeasible run")
    same(stdout, b"", "stdout of an infeasible run")
    needs = witness.check(witness.of_messages(stderr.decode()), case.clocked, places(case))
    same(re.search(r"at least [^(]*\((\d+(/\d+)?) tick", stderr.decode()).group(1), str(needs), "delta that the witness needs")
    same(needs > delta, True, "the witness contradicts the delta")


def check_refusals(case):
    """By either engine."""
    for engine in ("sweep", "dense"):
        options = case.choices + case.engine_arguments(engine)
        if case.least > 0:
            check_infeasible(case, ["--relax=none"] + options, Fraction(0))
        if case.options.mode == "given" and case.options.delta < case.least:
            check_infeasible(case, case.relaxation + options, case.options.delta)


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


def check_reports(case, outputs):
    """The JSON report in order, with the digits of the means; the CSV report; the figures of the text report."""
    report = json.loads(outputs["trace.json"], parse_float=str)
    shown, case.diagnosis = witness.of_json(report.get("witness")), report["diagnosis"]
    report.pop("explanations")  # test_explanations.py
    witness.check_report(shown, case.solution)
    wanted = expect.json_report(case.solution, case.made.path, report.get("witness"), report["diagnosis"],
                                report["delta_profile"])
    same(report, wanted, "report")
    same(json.dumps(report), json.dumps(wanted), "report, in order")
    same_lines(outputs["bounds.csv"], expect.csv_report(case.solution, case.made.path), "CSV report")
    check_text_report(case, outputs["report.txt"].decode(), shown)


def check_text_report(case, text, shown):
    """The text report has the figures of Table 1, of several clocks, what bounds rest on, and the witness of the JSON report."""
    words = [word.strip(",:;()") for word in text.split()]
    for figure in expect.table_1(case.solution) if len(case.clocked.threads) > 1 else []:
        if figure != "-" and figure not in words:    # means over no pairs are left out
            raise Mismatch(f"text report: no {figure}")
    same(re.findall("^bounds hold if (.*)$", text, re.MULTILINE), expect.conditions(case.solution, case.made.path), "conditions of the text report")
    found = witness.of_text(text)
    witness.check_report(found, case.solution)
    if shown:
        records = [[(e.record_s, e.record_t) for e in w.edges] for w in (found, shown)]
        same(records[0], records[1], "witness of the text report")


RECORD_FILE = re.compile(r"trace\.[0-9a-f]{8}\.trace")


def all_outputs(case, name, embed=False, options=None):
    """Everything that cellsync writes of the trace: file name -> bytes."""
    folder = case.subfolder(name)
    trace = "trace" + os.path.splitext(case.made.path)[1]
    arguments = [f"--output={folder}/{trace}", f"--report={folder}/trace.json"] + (["--embed"] if embed else [])
    same(case.sync(*arguments, options=options)[0], b"", "stdout")
    records = [name for name in os.listdir(folder) if RECORD_FILE.fullmatch(name)]
    same(len(records), case.made.kind == "pex" and not embed, "record files")
    same(sorted(os.listdir(folder)), sorted(["trace.json", trace] + records), "files")
    outputs = {name: read(os.path.join(folder, name)) for name in os.listdir(folder)}
    outputs["bounds.csv"] = case.sync("--report=-", "--report-format=csv", options=options)[0]
    outputs["report.txt"] = case.sync(options=options)[0]
    return outputs


def without_witness(outputs):
    """Outputs without what two engines may choose differently."""
    cut = {"trace.json": rb'  "witness": .*?(?=  "summary")', "report.txt": rb"^witness .*?(?=\n\n)"}
    return {name: re.sub(cut[name], b"", data, flags=re.DOTALL | re.MULTILINE) if name in cut else data
            for name, data in outputs.items()}


def without_condition(outputs):
    """Outputs but for what bounds rest on that nothing has said: --relax=none says that stamps are exact."""
    after = outputs["bounds.csv"].partition(b"\n")[0].partition(b"one_step")[2].count(b",")
    cut = {"trace.json": rb'  "conditions": .*\n', "report.txt": rb"bounds hold if .*\n",
           "bounds.csv": rb",(true|false|one_step)(?=(,[^,\n]*){%d}\n)" % after, "trace.csv": rb" one_step=yes(?=\r?\n)"}
    return {name: re.sub(cut[name], b"", data) if name in cut else data for name, data in outputs.items()}


def with_words_of_exact(outputs):
    """Outputs of --relax=none, with how --relax=exact calls a delta of 0."""
    words = {"trace.json": (b'"mode": "none"', b'"mode": "exact"'), "report.txt": (b"0 ns (none)", b"0 ns (none needed)"),
             "trace.pex": (b' relax="none"', b' relax="exact"'), "trace.csv": (b" relax=none", b" relax=exact")}
    return {name: data.replace(*words[name]) if name in words else data for name, data in outputs.items()}


def same_outputs(found, wanted, what):
    """Compares all that was written."""
    same(sorted(found), sorted(wanted), f"{what}: files")
    for name in wanted:
        same_lines(found[name], wanted[name], f"{what}: {name}")


def check_again(case, outputs, embed):
    """The same bytes again; but for the witness, from the other engine; but for words, from --relax=none."""
    same_outputs(all_outputs(case, "again", embed), outputs, "second run")
    other = case.relaxation + case.engine_arguments(case.other_engine) + case.choices
    found = all_outputs(case, "engine", embed, other)
    same_outputs(without_witness(found), without_witness(outputs), f"--engine={case.other_engine}")
    if case.options.mode == "exact" and case.least == 0:
        none = ["--relax=none"] + case.engine_arguments(case.engine) + case.choices
        found = all_outputs(case, "none", embed, none)
        same_outputs(without_condition(with_words_of_exact(found)), without_condition(outputs), "--relax=none")


def check_delta(case):
    """A found delta is no more than the true imprecision, and no inversion is larger than what was added."""
    if case.options.mode == "paper":
        return
    same(solver.inversions(case.solution.global_times)[1] <= case.solution.added_ticks, True, "inversions")
    if case.options.mode == "exact" and generate.true_offsets(case.clocked, case.made.true_stamps):
        same(case.solution.delta <= case.made.imprecision, True, "delta is at most the true imprecision")


def check_strict(case):
    """--unwrap=strict assumes nothing: the clocks of its threads are true, and the bounds are what these clocks say."""
    folder = case.subfolder("strict")
    path, report_path = os.path.join(folder, "trace.csv"), os.path.join(folder, "trace.json")
    case.sync("--unwrap=strict", f"--output={path}", f"--report={report_path}", options=case.imprecision)
    report = json.loads(read(report_path))
    clocked = solver.clocked_csv(pexfile.read_csv(path))
    solution = solver.solve(clocked, solver.Options())
    same(report["unwrapping"]["assumed"], 0, "strict: assumed gaps")
    same(report["delta"]["ticks"], str(solution.delta), "strict: delta")
    same(report["pairs"], [expect.pair_json(solution, s, t) for s, t in solver.pairs(solution)], "strict: pairs")
    if not case.made.written and 4 * case.made.imprecision <= case.clocked.imprecision:
        truth = generate.true_offsets(clocked, case.made.true_stamps)
        same(truth is not None, True, "strict: true clocks")
        if solution.added_ticks >= 2 * case.made.imprecision:
            check_truth(solution, truth)


def check_explained(case):
    """The chains behind the bound of two threads."""
    threads = case.clocked.threads
    if len(threads) < 2:
        return
    s, t = case.rng.sample(range(len(threads)), 2)
    pair = f"--explain={threads[s].name},{threads[t].name}"
    explain.check(case.sync(pair)[0].decode(), case.solution, places(case), s, t, case.made.path)


def check_monotonic(case):
    """--monotonic raises times to the greatest before them; what that does is counted, and local times are kept."""
    folder = case.subfolder("monotonic")
    path, report_path = os.path.join(folder, "trace.json"), os.path.join(folder, "report.json")
    case.sync("--monotonic", f"--output={path}", f"--report={report_path}")
    found = {e["args"]["record"]: (e["args"]["ticks"], e["args"]["local"])
             for e in json.loads(read(path))["traceEvents"] if e.get("cat") in ("ppe", "spe", "row") and "args" in e}
    times = case.solution.global_times
    raised = list(itertools.accumulate(times, max))
    same([found[i] for i in range(len(times))], list(zip(raised, case.clocked.time)), "monotonic times")
    moved = [b - a for a, b in zip(times, raised) if b > a]
    report, largest = json.loads(read(report_path)), max(moved, default=0)
    same(report["correction"], {"monotonic": True, "records": len(moved), "largest_ticks": largest}, "correction")
    same(report["delta"]["inversions"], 0, "inversions of monotonic times")
    same(report["damage"]["damaged"], damaged(case, raised), "damaged distances")
    case.sync("--monotonic", f"--max-adjust={largest}", "--report=-")
    if largest:
        case.sync("--monotonic", f"--max-adjust={largest - 1}", "--report=-", status=1)


def damaged(case, times):
    """How many distances within threads are not those of their clocks."""
    pairs = [pair for t in case.clocked.threads for pair in zip(t.positions, t.positions[1:])]
    return sum(times[b] - times[a] != case.clocked.time[b] - case.clocked.time[a] for a, b in pairs)


def check_dropped(case):
    """--drop, where the trace has records enough; it is for exact delta only."""
    most = len(case.clocked.owner) // 100
    if case.options.mode != "exact":
        case.sync("--drop=1", status=2)
    elif most == 0:
        case.sync("--drop=1", status=2)
    else:
        options = replace(case.options, drop=case.rng.randint(1, most))
        dropped.check(lambda *arguments: case.run(*arguments)[0], case.made.path, case.clocked, options, case.choices,
                      case.subfolder("drop"))


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


def check_table(case, pex, original_bytes):
    """The synchronization table."""
    element = pex.root[-1]
    same(element.attrib, expect.table_attributes(case.solution, original_bytes), "synchronization")
    same(len(element), len(case.clocked.threads), "rows of the table")
    for t, (row, thread) in enumerate(zip(element, case.clocked.threads)):
        same(row.tag, "ppe_thread" if thread.kind == "ppe" else "live_interval", f"row {t}")
        same(row.attrib, expect.table_row(case.solution, t), f"table, {thread.name}")


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
    embed = case.rng.random() < 0.3
    outputs = all_outputs(case, "out", embed)
    folder = os.path.join(case.folder, "out")
    check_reports(case, outputs)
    synced = os.path.join(folder, "trace.pex")
    check_synced(case, pexfile.read_pex(synced), next(filter(RECORD_FILE.fullmatch, outputs), None))
    case.run("--check", synced)
    case.sync(trace=synced, status=1)       # it is global already
    check_tampered(case, folder, embed)
    check_again(case, outputs, embed)
    check_pipe(case)
    check_to_csv(case)
    if case.clocked.assumed:
        check_strict(case)


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
               if not m.group().startswith((b"spe=", b"alpha=", b"max_imprecision="))]
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
    target = os.path.join(copy, "trace.pex" if embed or tamper is tamper_table else
                          next(filter(RECORD_FILE.fullmatch, os.listdir(copy))))
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
    solution = expect.as_csv(case.solution)
    facts, *rest = [line for line in read(path).splitlines(True) if not line.startswith(b"# cellsync-warning: ")]
    end = pexfile.line_end(facts)
    if expect.is_order_doubted(solution) and not expect.is_order_doubted(case.solution):
        facts = facts.removesuffix(end) + b" order_doubted=yes" + end
    warnings = [f"# cellsync-warning: {text}".encode() + end for text in expect.warnings(solution)]
    same(read(bounds), expect.csv_report(solution, path), "bounds of the CSV fed back")
    same_lines(read(back), b"".join([facts, *warnings, *rest]), "the CSV fed back")
    case.run("--check", path)
    check_csv_tampered(case, path)


def check_csv_tampered(case, path):
    """--check refuses a CSV of which a global time is another one, in a thread that has more records."""
    trace = pexfile.read_csv(path)
    at = case.rng.randrange(len(trace.raw_rows))
    row = trace.rows[at]
    if [r["thread"] for r in trace.rows].count(row["thread"]) < 2:
        return
    moved = int(row["global_time"]) + case.rng.choice([-1, 1, 2**32])
    trace.raw_rows[at] = pexfile.with_column(trace.raw_rows[at], trace.names.index("global_time"), str(moved))
    target = path + ".moved.csv"
    with open(target, "wb") as file:
        file.write(b"".join(trace.comments + [trace.header] + trace.raw_rows))
    _, stderr = case.run("--check", target, status=1)
    same(stderr[:10], b"cellsync: ", "message of --check")


def check_to_csv(case):
    """A .pex trace written as CSV."""
    path = os.path.join(case.subfolder("to_csv"), "trace.csv")
    case.sync(f"--output={path}")
    wanted = expect.csv_trace(case.solution, pexfile.read_pex(case.made.path), diagnosis=case.diagnosis)
    same_lines(read(path), wanted, "CSV trace")
    check_csv_back(case, path)


def check_csv(case):
    """All that concerns a CSV trace that can be solved."""
    outputs = all_outputs(case, "out")
    check_reports(case, outputs)
    trace = pexfile.read_csv(case.made.path)
    # A warning quotes the diagnosis, which is made only for a report.
    wanted, piped = (pexfile.csv_with_global_time(trace, case.solution.global_times, expect.csv_facts(
        case.solution, pexfile.csv_original(trace), ".csv", diagnosis)) for diagnosis in (case.diagnosis, None))
    same_lines(outputs["trace.csv"], wanted, "CSV trace")
    same_lines(case.sync("--output=-", trace="-", stdin=read(case.made.path))[0], piped, "CSV trace in a pipe")
    check_again(case, outputs, False)
    check_csv_back(case, os.path.join(case.folder, "out", "trace.csv"))
    case.sync(f"--output={case.folder}/trace.pex", status=2)


# ----------------------------------------------------------------------------------------------------- seeds

def prepare(case):
    """Draws the trace and the options of a seed."""
    case.made = generate.generate(case.seed, case.folder)
    imprecision = None
    if case.rng.random() < 0.15:
        imprecision = case.rng.choice([0, 1, 4, 100, 10**6, 2**30])
        case.imprecision = [f"--max-imprecision={imprecision}"]
    case.choices += case.imprecision
    case.clocked = clocked_of(case.made, imprecision)
    if len(case.clocked.owner) < BY_DEFINITION:
        same(solver.tightest_of_all(case.clocked), solver.tightest(solver.all_pairs(case.clocked)), "constraints of the solver")
    case.least = solver.least_delta(case.clocked)
    choose_options(case)


def check_case(case):
    """Everything about one seed."""
    check_refusals(case)
    if not solve_case(case):
        relax_case(case)
    check_true_offsets(case)
    check_delta(case)
    check_explained(case)
    check_monotonic(case)
    check_dropped(case)
    (check_csv if case.made.kind == "csv" else check_pex)(case)


def run_seed(seed, program):
    """Checks a seed; returns its case, and the description of its failure or None."""
    folder = tempfile.mkdtemp(prefix=f"cellsync-seed-{seed}-")
    case = Case(seed, program, folder, random.Random(f"options {seed}"))
    try:
        prepare(case)
        check_case(case)
    except Exception as error:      # whatever goes wrong belongs to this seed
        return case, (f"seed {seed} failed: {type(error).__name__}: {error}\n"
                      f"  command: {shlex.join(case.command)}\n  folder: {folder}\n"
                      f"  again: test_random.py {program} --first={seed} --seeds=1")
    shutil.rmtree(folder)
    return case, None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", metavar="CELLSYNC")
    parser.add_argument("--seeds", type=int, default=trials(160))
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    program = os.path.abspath(arguments.program)
    seeds = range(arguments.first, arguments.first + arguments.seeds)
    print(f"seeds {seeds[0]} to {seeds[-1]}", flush=True)
    with ThreadPoolExecutor(arguments.jobs) as pool:
        done = list(pool.map(lambda seed: run_seed(seed, program), seeds))
    failures = [text for _, text in done if text]
    for text in failures[:10]:
        print(text)
    contradictory = sum(1 for case, _ in done if case.least)
    print(f"{contradictory} of the traces contradict their clocks")
    print(f"{len(seeds) - len(failures)} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
