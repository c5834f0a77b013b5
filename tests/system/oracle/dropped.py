"""Records that --drop leaves out, against the solver: it is told which, and finds delta, bounds and offsets without them."""

import json
import os
from dataclasses import replace

import expect
import pexfile
import solver
import witness
from compare import read, same, same_lines


def check_choice(clocked, positions, options):
    """No more are left out than asked for, no first record of a thread, and fewer only where delta is 0 then."""
    same(positions, sorted(set(positions)), "records left out")
    same(len(positions) <= options.drop, True, f"{len(positions)} left out of {options.drop}")
    same([t.name for t in clocked.threads if t.positions[0] in positions], [], "threads without their first record")
    if len(positions) < options.drop:
        same(solver.least_delta(clocked, positions), 0, "delta where fewer were left out")


def solution_of(clocked, options, report):
    """The solver's, without the records that the report says are left out."""
    positions = [record["record"] for record in report["dropped"]]
    check_choice(clocked, positions, options)
    return solver.solve(clocked, replace(options, without=tuple(positions)))


def check_report(case_path, report, solution):
    """The JSON report."""
    shown = witness.of_json(report["witness"])
    witness.check_report(shown, solution)
    without = set(solution.options.without)
    same([e for e in shown.edges if {e.record_s, e.record_t} & without] if shown else [], [], "witness of what is left out")
    wanted = expect.json_report(solution, case_path, report["witness"], report["diagnosis"], report["delta_profile"])
    same({key: value for key, value in report.items() if key != "explanations"}, wanted, "report of --drop")


def check(run, path, clocked, options, arguments, folder):
    """Everything that is written of a trace with --drop; returns the solution.  run: arguments -> standard output."""
    common = [f"--drop={options.drop}", *arguments]
    reports = [run(*common, f"--engine={engine}", path, "--report-format=json", "--pairs=all", "--report=-")
               for engine in ("sweep", "dense")]
    report = json.loads(reports[0], parse_float=str)
    solution = solution_of(clocked, options, report)
    check_report(path, report, solution)
    other = json.loads(reports[1], parse_float=str)
    same(other | {"witness": None}, report | {"witness": None}, "report of --drop, --engine=dense")
    same_lines(run(*common, path, "--report-format=csv", "--pairs=all", "--report=-"), expect.csv_report(solution, path),
               "CSV report of --drop")
    suffix = os.path.splitext(path)[1]
    output = os.path.join(folder, f"dropped{suffix}")
    run(*common, path, f"--output={output}")
    if suffix == ".csv":
        trace = pexfile.read_csv(path)
        facts = expect.csv_facts(solution, pexfile.csv_original(trace), ".csv", report["diagnosis"])
        same_lines(read(output), pexfile.csv_with_global_time(trace, solution.global_times, facts), "CSV trace of --drop")
    else:
        node = pexfile.read_pex(output).root.find("synchronization")
        same(node.get("dropped", ""), " ".join(map(str, solution.options.without)), "synchronization@dropped")
        same(node.get("delta"), str(solution.delta), "delta of --drop")
    check_proof(run("--check", output).decode(), solution)
    return solution


def check_proof(text, solution):
    """What --check says of those that are left out."""
    without, times = solution.options.without, solution.global_times
    place = sum(abs(solver.early_ticks(times, without, i)) <= solution.added_ticks for i in without)
    wanted = f"; claims 2 and 4 exclude {len(without)} dropped record{'' if len(without) == 1 else 's'}" if without else ""
    wanted += f", of which {place} contradict{'s' if place == 1 else ''} no other record" if place else ""
    first = text.split("\n")[0]
    same(first[first.index(" thread"):].partition(",")[2], wanted.partition(",")[2], "what --check says")
