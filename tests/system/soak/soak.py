#!/usr/bin/env python3
"""Soak: random traces, whole, cut off and damaged, through random options of cellsync.

    soak.py CELLSYNC PDTSIM TESTDATA [--minutes=M | --runs=N] [--seed=N] [--jobs=N] [--keep=FOLDER] [--all]

A run is drawn from its seed alone: a trace (traces.py of this folder), options (options.py), how the trace comes in, what stands
where output goes, and two numbers of threads.  Then

    conduct     exit status 0 to 3, never a signal; messages are printable; a failure leaves nothing behind and the old
                files as they were; what is read stays as it was
    threads     either number of them gives the same bytes and messages
    oracle      threads, bounds, delta and global times are those of tests/system/oracle, where that can read the trace and the
                trace is small; the other engine gives the same
    truth       is within the bounds, where the stamps are as good as delta says
    formats     .pex, CSV, trace events and CTF carry the same times; --check proves the .pex, and judges a damaged one

Seeds count up from --seed, which is drawn and printed if it is not given; --seed=N --runs=1 repeats one.  What a failed
run read and wrote stays in FOLDER/SEED.  Exit status 1 if a run failed; with --all also if some option was in no good one.
"""

import argparse
import json
import multiprocessing
import os
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from html.parser import HTMLParser
from types import SimpleNamespace
from xml.etree.ElementTree import ParseError

sys.path += [os.path.join(os.path.dirname(__file__), "..", folder) for folder in ("oracle", "formats")]
import ctf_test  # noqa: E402
import dropped  # noqa: E402
import explain  # noqa: E402
import expect  # noqa: E402
import generate  # noqa: E402
import methods  # noqa: E402
import options  # noqa: E402
import pexfile  # noqa: E402
import solver  # noqa: E402
import started  # noqa: E402
import test_random  # noqa: E402
import traces  # noqa: E402
from compare import Mismatch, read, same  # noqa: E402
from test_solver import check_truth  # noqa: E402

NUMBERS_OF_THREADS = ["1", "2", "7"]
RECORDS_MAX, THREADS_MAX, SPAN_MAX = 320, 45, 2**44     # of what the oracle, which is slow, solves

# What may keep a whole trace from being solved: options, and limits that cellsync-model(7) states.
REFUSALS = re.compile(r"largest correction|too large|dense (?:bounds|engine)|leaves? 64 bits|finer fraction|2\^58")
# Names that the options say and the trace has not, graphs that would show nothing, and too few records to leave some out.
USAGE = re.compile(r"thread|graph|exceeds the limit of 1 %|run on one clock")
PROGRESS = re.compile(rb"\r[^\r\n\x1b]*\x1b\[K")


@dataclass
class Case:
    """A run."""
    seed: int
    tools: SimpleNamespace
    folder: str
    rng: random.Random
    trace: traces.Trace = None
    drawn: options.Drawn = None
    delivery: str = "file"              # "file", or on standard input: "pipe" or "redirected"
    commands: list = field(default_factory=list)
    seen: Counter = field(default_factory=Counter)

    @property
    def clean(self):
        """Whether whatever cellsync refuses must have a reason in the options."""
        return self.trace.state == "whole" and not self.drawn.careless


@dataclass
class Result:
    """What a call of cellsync did."""
    status: int
    stdout: bytes
    stderr: bytes
    files: dict                         # path below the folder of outputs -> bytes

    @property
    def text(self):
        return self.stderr.decode("latin-1")


# ------------------------------------------------------------------------------------------------- a call of cellsync

def files_of(folder):
    """The bytes of every file below a folder, by path."""
    paths = [os.path.join(base, name) for base, _, names in os.walk(folder) for name in names]
    return {os.path.relpath(path, folder): read(path) for path in paths}


def new_folder(case, name):
    path = os.path.join(case.folder, name)
    os.makedirs(path)
    return path


def call(case, name, arguments, trace=None, old=()):
    """Runs cellsync on the trace of the case, or on another one; its outputs go to a new folder, where old files are."""
    folder, scratch = new_folder(case, name), new_folder(case, name + ".scratch")
    for path in old:
        os.makedirs(os.path.join(folder, os.path.dirname(path)), exist_ok=True)
        with open(os.path.join(folder, path), "wb") as file:
            file.write(b"old")
    standard = trace is None and case.delivery != "file"
    data = read(case.trace.path) if standard else b""
    stdin = open(case.trace.path, "rb") if standard and case.delivery == "redirected" else None
    read_before = files_of(case.trace.folder)
    command = [case.tools.cellsync, *[a.replace(options.OUT, folder) for a in arguments],
               trace or ("-" if standard else case.trace.name)]
    case.commands.append(command)
    with stdin or open(os.devnull, "rb") as stdin:
        how = {"stdin": stdin} if not standard or case.delivery == "redirected" else {"input": data}
        done = started.run(command, cwd=case.trace.folder, env=os.environ | {"TMPDIR": scratch}, timeout=600,
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, **how)
    same(os.listdir(scratch), [], "temporary files")
    same(files_of(case.trace.folder) == read_before, True, "what is read stays as it was")
    os.rmdir(scratch)
    stderr = PROGRESS.sub(b"", done.stderr).replace(folder.encode(), options.OUT.encode())
    result = Result(done.returncode, done.stdout, stderr, files_of(folder))
    check_conduct(result, dict.fromkeys(old, b"old"))
    return result


def check_conduct(result, old):
    """What holds of any call."""
    same(result.status in (0, 1, 2, 3), True, f"exit status {result.status}: {result.text[-2000:]}")
    same(re.findall(r"Sanitizer|runtime error", result.text), [], result.text[-4000:])
    same(re.findall(r"[^\x20-\x7e\n]", result.text), [], f"messages: {result.text}")
    for line in result.text.splitlines():
        same(line.startswith("cellsync: "), True, f"message {line}")
    same([path for path in result.files if ".cellsync" in path], [], "temporary files")
    if result.status:
        same(result.files, old, f"files after a failure: {result.text}")
        same("cellsync: " in result.text, True, "a failure says why")


# ------------------------------------------------------------------------------------------------------- what is known

def records_of(case, salvaged):
    """The trace as the oracle reads it, as far as it was read; None where it cannot."""
    trace = case.trace
    try:
        original = trace.original if salvaged and trace.original else traces.parse(trace.path)
    except Exception:       # whatever a damaged trace does to a simple reader
        if trace.state == "whole":
            raise
        return None
    count = len(traces.entries(original))
    if salvaged:
        same(salvaged["records"] <= count, True, "more was salvaged than there was")
        count = salvaged["records"]
    return traces.head(original, count)


def is_small(original):
    """Whether the oracle should solve it."""
    if isinstance(original, pexfile.CsvTrace):
        return 0 < len(original.rows) <= RECORDS_MAX
    times = [r.time for r in original.trace.records if r.core == pexfile.PPE]
    return 0 < len(original.trace.records) <= RECORDS_MAX and (not times or max(times) - min(times) < SPAN_MAX)


def clocked_of(case, original):
    """Its local clocks; None where it is too large."""
    if original is None or not is_small(original):
        return None
    if isinstance(original, pexfile.Pex) and original.root.find("order") is not None:
        return None         # the oracle reads one buffer only
    if isinstance(original, pexfile.CsvTrace):
        clocked = solver.clocked_csv(original)
    else:
        imprecision = case.drawn.get("--max-imprecision")
        clocked = solver.clocked_pex(original, None if imprecision is None else int(imprecision))
    return clocked if is_solvable(clocked) else None


def is_solvable(clocked):
    """Whether there are few threads, all with names in UTF-8: reports have other ones in place of those that are not."""
    return len(clocked.threads) <= THREADS_MAX and not any(
        re.search("[\ud800-\udfff]", name) for t in clocked.threads for name in [t.name, *(t.members or [])])


def known_clocks(case, salvaged):
    """Local clocks of the trace by the oracle, or None."""
    if case.drawn.get("--unwrap") == "strict":
        return None
    original = records_of(case, salvaged)
    try:
        return clocked_of(case, original)
    except Exception:       # records that no trace has
        if case.trace.state == "whole":
            raise
        return None


def clock_of(clocked, name):
    """The name of the clock that is called so, or that a thread of this name runs on; else the name."""
    called = [t.name for t in clocked.threads if t.name == name]
    return next(iter(called + [t.name for t in clocked.threads if name in (t.members or [])]), name)


def solver_options(drawn, clocked, report):
    """Of records that are left out it is told which."""
    without = tuple(record["record"] for record in report.get("dropped", []))
    mode = "given" if "--delta" in drawn else drawn.get("--relax", "exact")
    return solver.Options(mode, Fraction(drawn.get("--delta", "0")), Fraction(drawn.get("--alpha", "1/2")),
                          drawn.get("--reference") and clock_of(clocked, drawn["--reference"]), drawn.get("--center", "reference"), int(drawn.get("--drop", "0")),
                          without)


def solve(case, clocked, report):
    """The Solution, or None: infeasible."""
    wanted = solver_options(case.drawn, clocked, report)
    try:
        if wanted.drop:
            dropped.check_choice(clocked, list(wanted.without), wanted)
            case.seen["records left out"] += bool(wanted.without)
        return solver.solve(clocked, wanted)
    except solver.Infeasible:
        return None


# ------------------------------------------------------------------------------------------------------------- checks

def loses_its_last_row(case):
    """Whether --salvage takes the last row of a CSV, which may have been the only one, for cut: it has no line end."""
    with open(case.trace.path, "rb") as file:
        return "--salvage" in case.drawn and case.trace.path.endswith(".csv") and not file.read().endswith(b"\n")


def check_status(case, judged):
    """Exit status of the solver alone, and what the oracle has to say of it; returns clocks and solution, or None."""
    if judged.status not in (0, 3):
        if case.clean:
            wanted = REFUSALS if judged.status == 1 else USAGE
            if loses_its_last_row(case):
                wanted = re.compile(wanted.pattern + "|the trace has no records")
            same(bool(wanted.search(judged.text)), True, f"exit status {judged.status}: {judged.text}")
        return None, None
    report = json.loads(judged.files["judge.json"], parse_float=str) if judged.status == 0 else {}
    cut = case.trace.state == "cut" and "--salvage" in case.drawn
    if judged.status == 3 and cut:      # nothing says how much was salvaged
        return None, None
    clocked = known_clocks(case, report.get("salvaged"))
    if clocked is None or case.drawn.method != "bhh":
        same(judged.status == 0 or case.drawn.method == "bhh", True, "infeasible without bounds")
        return clocked, None
    if clock_of(clocked, case.drawn.get("--reference")) not in [None, *[t.name for t in clocked.threads]]:
        raise Mismatch("a reference that is not there")
    solution = solve(case, clocked, report)
    same(judged.status == 0, solution is not None, f"feasible: {judged.text}")
    return clocked, solution


def check_report(case, report, solution):
    """The JSON report against the oracle."""
    wanted = expect.json_report(solution, report["trace"], report["witness"])
    keys = ["timebase_hz", "records", "method", "reference", "alpha", "center", "unwrapping", "switches", "summary", "threads", "dropped",
            "pairs"]
    if "--monotonic" not in case.drawn:
        keys.append("delta")
    for key in keys:
        same(report[key], wanted[key], f"report: {key}")
    made = case.trace.made
    if made and case.trace.state == "whole" and solution.added_ticks >= 2 * made.imprecision:
        truth = generate.true_offsets(solution.clocked, made.true_stamps)
        if truth:
            case.seen["truth of each record"] += 1
            check_truth(solution, truth)


def check_simulated_truth(case, report):
    """What pdtsim says lies within the bounds, where delta is as large as it says, and the live intervals are the same."""
    truth = case.trace.truth
    if not truth or case.trace.state == "damaged" or case.drawn.method != "bhh" or report["unwrapping"]["assumed"]:
        return
    names = {t["name"] for t in report["threads"]}
    is_same = names <= truth.keys() and (case.trace.state == "cut" or names == truth.keys())
    if not is_same or Fraction(report["delta"]["ticks"]) < case.trace.delta:
        return
    case.seen["truth of the simulator"] += 1
    if report["reference"] == "ppe":
        for t in report["threads"]:
            same(traces.within(t["earliest_ticks"], truth[t["name"]], t["latest_ticks"]), True, f"truth of {t}")
    for p in report["pairs"] or []:
        same(traces.within(p["lower_ticks"], truth[p["s"]] - truth[p["t"]], p["upper_ticks"]), True, f"truth of {p}")


def check_engines(case, report):
    """The other engine gives the same."""
    engine = "sweep" if case.drawn.get("--engine") == "dense" else "dense"
    solving = options.solving(case.drawn) | {"--engine": engine}
    result = call(case, "engine", options.arguments(solving) + [f"--report={options.OUT}/judge.json"])
    if result.status == 1 and re.search("too large|dense (?:bounds|engine)", result.text):
        return
    same(result.status, 0, f"--engine={engine}: {result.text}")
    found = json.loads(result.files["judge.json"], parse_float=str)
    same(found | {"witness": None}, report | {"witness": None}, f"report of --engine={engine}")


def times_of_pex(data, folder):
    pex = pexfile.parse_pex(data, folder)
    return [r.time for r in pex.trace.records]


def times_of_csv(data):
    """(global, local) of each row."""
    trace = pexfile.parse_csv(data)
    return [int(row["global_time"]) for row in trace.rows], [int(row["time"]) for row in trace.rows]


def times_of_events(data):
    """(global, local) of each record, from trace events."""
    found = {e["args"]["record"]: (e["args"]["ticks"], e["args"]["local"])
             for e in json.loads(data)["traceEvents"] if e.get("cat") in ("ppe", "spe", "row") and "args" in e}
    return tuple(map(list, zip(*[found[i] for i in range(len(found))])))


def times_of_ctf(folder):
    """(global, local) of each record, as babeltrace2 reads them."""
    events = [common for stream in ctf_test.found_events(folder).values() for _, _, common, _ in stream]
    found = {common["record"]: (common["global"], common["local"]) for common in events}
    return tuple(map(list, zip(*[found[i] for i in range(len(found))])))


def written(case, suffix):
    """Where the trace is, written with the same options as a file of that suffix."""
    target = f"{options.OUT}/t.{suffix}"
    result = call(case, suffix, options.arguments(options.solving(case.drawn)) + [f"--output={target}"])
    same(result.status, 0, f"written as {suffix}: {result.text}")
    return os.path.join(case.folder, suffix, f"t.{suffix}")


def check_pex(case, times):
    """The .pex has these times and is proved; and a damaged one is not mistaken for anything else."""
    path = written(case, "pex")
    try:
        same(times_of_pex(read(path), os.path.dirname(path)), times, "times of the .pex")
    except ParseError:      # damage to namespaces is carried along, but the simple reader insists on them
        if case.trace.state == "whole":
            raise
    proof = call(case, "check", ["--check"], path)
    same(proof.status, 0 if case.drawn.method == "bhh" else 1, f"--check: {proof.text}")
    if case.rng.random() < 0.3:
        traces.damage(case.rng, case.rng.choice([path, traces.stream_of(path)[0]]))
        same(call(case, "check damaged", ["--check"], path).status in (0, 1), True, "--check of a damaged trace")


def is_readable_by_babeltrace(report, times):
    """Whether times fit 64 bits of nanoseconds, as babeltrace2 wants it."""
    return (max(times) - min(0, *times)) * 10**9 // report["timebase_hz"] < 2**63 - 1


def check_formats(case, report, clocked, solution):
    """Every format has the same times, which are those of the oracle."""
    path = written(case, "csv")
    try:
        times, local = times_of_csv(read(path))
    except KeyError:        # columns that the simple reader does not know: other names, separators, cases of letters
        if case.trace.state == "whole":
            raise
        return
    same(len(times), report["records"], "records of the CSV")
    if clocked:
        known = solution.global_times if solution else methods.place(clocked, case.drawn.method)[1]
        if "--monotonic" in case.drawn:
            known = [max(known[:i + 1]) for i in range(len(known))]
        same((times, local), (known, clocked.time), "times by the oracle")
    elif case.drawn.get("--unwrap") == "strict" and len(times) <= RECORDS_MAX and report["delta"]["mode"] != "paper":
        check_strict(case, report, path)
    if case.trace.kind == "pex" and "--monotonic" not in case.drawn:
        check_pex(case, times)
    if case.rng.random() < 0.5:
        same(times_of_events(read(written(case, "json"))), (times, local), "times of trace events")
    if case.rng.random() < 0.3 and is_readable_by_babeltrace(report, times):
        folder = written(case, "ctf")
        if shutil.which("babeltrace2"):
            same(times_of_ctf(folder), (times, local), "times of the CTF")


def check_strict(case, report, path):
    """Where nothing is assumed, the bounds are what the local clocks say that the CSV has."""
    clocked = solver.clocked_csv(pexfile.read_csv(path))
    if not is_solvable(clocked):
        return
    solution = solver.solve(clocked, solver_options(case.drawn, clocked, report))
    same(report["pairs"], [expect.pair_json(solution, s, t) for s, t in solver.pairs(solution)], "strict: pairs")
    case.seen["oracle of strict"] += 1


def check_views(case, result, solution):
    """What was asked for is there, whole, and in its format."""
    same(sorted(re.sub(r"\.[0-9a-f]{8}\.trace", ".TAG.trace", p) for p in result.files if not p.startswith("x.ctf")),
         sorted(case.drawn.files), "files")
    outputs = [(name, data) for name, data in result.files.items()] + [(case.drawn.standard, result.stdout)]
    for name, data in outputs:
        if case.drawn.format_of(name) in ("text", "html", "tex", "dot", "explain"):
            same(re.findall(rb"[\x00-\x09\x0b-\x1f\x7f]", data), [], f"control characters in {name}")
            data.decode()
        if case.drawn.format_of(name) == "json":
            json.loads(data)
        if case.drawn.format_of(name) == "html":
            HTMLParser().feed(data.decode())
            same(data.endswith(b"</html>\n"), True, "end of the page")
        if case.drawn.format_of(name) == "dot":
            same((re.match(rb"(di)?graph ", data) is not None, data.endswith(b"}\n")), (True, True), "graph")
        if case.drawn.format_of(name) == "explain" and solution and case.trace.state == "whole":
            check_explained(case, data.decode(), solution)


def check_explained(case, text, solution):
    """The chains of --explain."""
    names = [t.name for t in solution.clocked.threads]
    made = case.trace.made
    if made and case.drawn.explained and set(case.drawn.explained) <= set(names) and \
            not any("," in name for name in case.drawn.explained):
        s, t = map(names.index, case.drawn.explained)
        if s != t:
            explain.check(text, solution, test_random.places(SimpleNamespace(made=made)), s, t, case.trace.path)
            case.seen["chains"] += 1


# ---------------------------------------------------------------------------------------------------------------- a run

def run_drawn(case):
    """The call with all that was drawn, twice, by other numbers of threads; the result."""
    arguments = options.arguments(case.drawn)
    # Of records it is not known yet what they will be called.
    old = [name for name in case.drawn.files if "TAG" not in name] if case.rng.random() < 0.3 else ()
    first, second = [call(case, f"by {n}", arguments + [f"--threads={n}"], old=old)
                     for n in case.rng.sample(NUMBERS_OF_THREADS, 2)]
    same(second.status, first.status, "exit status by other threads")
    same(second.stderr, first.stderr, "messages by other threads")
    same(second.stdout, first.stdout, "standard output by other threads")
    same(sorted(second.files), sorted(first.files), "files by other threads")
    for name in first.files:
        same(second.files[name] == first.files[name], True, f"{name} by other threads")
    return first


def run_case(case):
    """Everything about one seed."""
    case.trace = traces.draw(case.rng, new_folder(case, "input"), case.tools)
    case.drawn = options.draw(case.rng, case.trace.kind, case.trace.names)
    case.delivery = case.rng.choices(["file", "pipe", "redirected"], [70, 20, 10])[0]
    result = run_drawn(case)
    solving = options.arguments(options.solving(case.drawn))
    judged = call(case, "judge", solving + [f"--report={options.OUT}/judge.json", "--threads=1"])
    if result.status == 0:
        same(judged.status, 0, f"exit status of the report: {judged.text}")
    clocked, solution = check_status(case, judged)
    if judged.status == 0 and result.status and case.clean:
        same((result.status, bool(USAGE.search(result.text))), (2, True), result.text)
    if result.status == 0:
        if not case.drawn.careless:
            check_views(case, result, solution)
        case.seen.update(options.labels(case.drawn) + [case.delivery])
    if judged.status == 0:
        check_good(case, json.loads(judged.files["judge.json"], parse_float=str), clocked, solution)
    case.seen.update([f"exit status {result.status}", f"a trace that is {case.trace.state}"])


def check_good(case, report, clocked, solution):
    """What a solved trace must be like."""
    if solution:
        case.seen["oracle"] += 1
        check_report(case, report, solution)
    check_simulated_truth(case, report)
    if case.drawn.method == "bhh" and report["delta"]["mode"] != "paper" and case.rng.random() < 0.3:
        check_engines(case, report)
    check_formats(case, report, clocked, solution)


def run_seed(seed, tools):
    """What was seen, and what failed or None."""
    folder = tempfile.mkdtemp(prefix=f"cellsync-soak-{seed}-")
    case = Case(seed, tools, folder, random.Random(f"soak {seed}"))
    failure = None
    try:
        run_case(case)
    except Exception as error:      # whatever goes wrong belongs to this seed
        kept = os.path.join(tools.keep, str(seed))
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(folder, kept)
        command = shlex.join(case.commands[-1]) if case.commands else "-"
        failure = (f"seed {seed} failed: {type(error).__name__}: {str(error)[:3000]}\n"
                   f"  command: {command.replace(folder, kept)}\n  folder: {kept}\n  again: --seed={seed} --runs=1")
    shutil.rmtree(folder)
    return case.seen, failure


def work(job):
    """Every step-th seed until time is up; (runs, what was seen, failures)."""
    tools, first, step, last, until = job
    seen, runs, failures = Counter(), 0, 0
    for seed in range(first, last, step):
        if time.time() > until:
            break
        found, failure = run_seed(seed, tools)
        seen, runs = seen + found, runs + 1
        if failure:
            failures += 1
            print(failure, flush=True)
    return runs, seen, failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("cellsync", "pdtsim", "testdata"):
        parser.add_argument(name, type=os.path.abspath)
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--runs", type=int)
    parser.add_argument("--seed", type=int, default=random.randrange(10**9))
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", type=os.path.abspath, default="soak")
    parser.add_argument("--all", action="store_true")
    tools = parser.parse_args()
    last = tools.seed + (tools.runs or 10**9)
    until = time.time() + (10**9 if tools.runs else 60 * tools.minutes)
    print(f"seeds from {tools.seed} on", flush=True)
    jobs = [(tools, tools.seed + i, tools.jobs, last, until) for i in range(tools.jobs)]
    with multiprocessing.Pool(tools.jobs) as pool:
        done = list(pool.imap_unordered(work, jobs))
    runs, failures, seen = sum(d[0] for d in done), sum(d[2] for d in done), sum((d[1] for d in done), Counter())
    missing = [label for label in options.LABELS if not seen[label]]
    print(", ".join(f"{label}: {count}" for label, count in sorted(seen.items())))
    print(f"{runs} runs, {failures} failed" + (f"; in no good one: {', '.join(missing)}" if missing else ""))
    return 1 if failures or not runs or (tools.all and missing) else 0


if __name__ == "__main__":
    sys.exit(main())
