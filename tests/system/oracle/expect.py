"""What cellsync must print for a solved trace: the JSON and CSV reports, the synchronization table, CSV traces.

Numbers come from solver.py; nothing here reads a file that cellsync wrote.
"""

import re
import zlib
import os
import sys
from dataclasses import replace
from fractions import Fraction
from math import ceil, comb, floor, gcd, inf

import pexfile
import solver

sys.path.append(os.path.join(os.path.dirname(__file__), "..", "report"))
import people

GENERAL_NAMES = {0x0100: "SPE_SWITCH_IN", 0x0200: "SPE_SWITCH_OUT", 0x0300: "TRACE_START", 0x0400: "TRACE_STOP",
                 0x0500: "SPE_THREAD_START", 0x0600: "SPE_THREAD_STOP"}
CSV_COLUMNS = ["thread", "time", "global_time", "core", "tid", "id", "event", "begin", "pc", "values",
               "stamp", "begin_stamp"]
BEGIN_AFTER_END = 2**32 - 2**16


def bound_text(value):
    """A tick count of a CSV report or of the table."""
    return {inf: "inf", -inf: "-inf"}.get(value, str(value))


def bound_json(value):
    """A tick count of a JSON report."""
    return None if value in (inf, -inf) else value


def mean_text(errors):
    """The exact mean with six digits, halves up; None of no errors."""
    if not errors:
        return None
    millionths = (2 * sum(errors) * 10**6 + len(errors)) // (2 * len(errors))
    return f"{millionths // 10**6}.{millionths % 10**6:06d}"


# ----------------------------------------------------------------------------------------------------- reports

def are_live_together(s, t):
    """Whether each of two threads has its first record before the other's last."""
    return s.positions[0] <= t.positions[-1] and t.positions[0] <= s.positions[-1]


def are_successive(s, t):
    """Whether one is the next live interval of the other's context: speC.K and speC.K+1."""
    return s.context is not None and s.context == t.context and \
        abs(int(s.name.rpartition(".")[2]) - int(t.name.rpartition(".")[2])) == 1


def event_error(solution, error):
    """How far events of two threads can be off that have this error bound: each stamp may be off by delta."""
    return error + 2 * solution.added_ticks


def event_errors(solution, errors):
    """Those of error bounds."""
    return [event_error(solution, error) for error in errors]


def is_conditional(solution):
    """Whether bounds rest on a delta that was found."""
    return solution.delta > 0 and solution.options.mode in ("exact", "paper")


def warnings(solution, diagnosis=None):
    """What all bounds rest on."""
    found, clocked = [], solution.clocked
    if is_conditional(solution):
        twice, delta = (people.time_text(n * solution.delta, clocked.timebase_hz) for n in (2, 1))
        met = f", and --relax=paper added {twice} to each constraint" \
            if solution.options.mode == "paper" else f" by up to {twice}"
        found.append(f"the timestamps contradict the order of events{met}: bounds hold only if no timestamp is off by more than "
                     f"{delta}{great(solution, diagnosis)}")
    doubted = sorted_as(clocked, solution.options.without)
    return found + assumed_warnings(clocked) + dropped_warnings(solution.options) + order_warnings(doubted, "bounds") \
        + unbounded_warnings(solution) + coarse_warnings(solution)


WARNINGS = {"assumed number": "assumed", " left out": "dropped", " look sorted by ": "order", " the clock of ": "unbounded",
            " in steps of ": "coarse"}


def warning_key(text):
    """The word for a warning in the columns of CSVs and in the metadata of CTF."""
    return next((key for part, key in WARNINGS.items() if part in text), "delta")


def escaped(name):
    """As messages show it: bytes that are not printable ASCII, and backslashes, as \\xNN."""
    return "".join(chr(byte) if 0x20 <= byte < 0x7f and byte != 0x5c else f"\\x{byte:02x}" for byte in name.encode())


def unbounded_warnings(solution):
    """Which clocks are not bounded to the reference on both sides."""
    names = [escaped(thread.name) for thread in solution.clocked.threads]
    missing = [(solution.earliest(t) == -inf) + (solution.latest(t) == inf) for t in range(len(names))]
    reference, found = names[solution.tau], []
    for sides in 2, 1:
        clocks = [name for name, n in zip(names, missing) if n == sides]
        one, others = len(clocks) == 1, len(clocks) - 1
        who = f"the clock of {clocks[0]}" if one else f"the clocks of {clocks[0]} and {others} other{'s' * (others > 1)}" if clocks else ""
        if clocks and sides == 2:
            found.append(f"no event connects {who} to the clock of {reference}: "
                         f"{'its offset is' if one else 'their offsets are'} arbitrary, and {'its' if one else 'their'} "
                         f"global times cannot be compared with the times of {reference}")
        elif clocks:
            lacks = "follow" if solution.earliest(missing.index(1)) == -inf else "precede"
            found.append(f"the offset{'' if one else 's'} of {who} from the clock of {reference} {'is' if one else 'are'} limited "
                         f"on one side only" + (f", because no event of {clocks[0]} is known to {lacks} an event of {reference}" if one else ""))
    return ["; ".join(found)] if found else []


def step_samples(clocked):
    """The stamps by which each clock's steps are told: distinct ones but 0, of its first, its last and 32 others."""
    samples = [{clocked.time[p] for p in thread.positions[:1] + thread.positions[-1:]} for thread in clocked.threads]
    tops = [clocked.time[thread.positions[0]] if thread.positions else None for thread in clocked.threads]
    ends = [clocked.time[thread.positions[-1]] if thread.positions else None for thread in clocked.threads]
    taken = [0] * len(samples)
    for t, time in list(zip(clocked.owner, clocked.time))[:2**16]:
        if taken[t] < 32 and tops[t] < time != ends[t]:
            samples[t].add(time)
            tops[t] = time
            taken[t] += 1
    return {t: sample - {0} for t, sample in enumerate(samples) if sample - {0}}


def is_no_chance(step, known, stamps, clocks, of):
    """Whether not once in a million traces so many of the clocks would have a step in all their stamps.

    Of clocks that are known to have a step, once in a hundred is enough to tell a greater one."""
    return Fraction(step, known)**(stamps - 1) >= (10**6 if known == 1 else 100) * comb(of, clocks)


def clock_steps(clocked):
    """The step of each clock that looks as if it was read in steps."""
    samples, known = step_samples(clocked), 1
    steps = dict.fromkeys(samples, 1)
    for step in [gcd(*set().union(*samples.values()))] + [10**e for e in range(1, 10)]:
        group = [t for t in samples if steps[t] == known and all(time % step == 0 for time in samples[t])]
        if step >= 10 and step > known and step % known == 0 and group and \
                is_no_chance(step, known, sum(len(samples[t]) for t in group), len(group), len(samples)):
            steps.update((t, step) for t in group)
            known = step
    for t, sample in samples.items():
        own = gcd(*sample)
        if own >= 10 and is_no_chance(own, steps[t], len(sample), 1, len(samples)):
            steps[t] = own
    return len(samples), {t: step for t, step in steps.items() if 10 <= step <= clocked.timebase_hz}


def coarse_warnings(solution):
    """That clocks look as if they were read in steps, unless that may be chance or delta is enough."""
    clocked = solution.clocked
    of, steps = clock_steps(clocked)
    step = max(steps.values(), default=0)
    if len(clocked.owner) < 12 or len(clocked.threads) < 2 or 2 * solution.delta >= step or \
            (solution.options.mode == "given" and len(steps) == 1 and 4 * solution.delta >= step + 2):
        return []
    others, first = len(steps) - 1, clocked.threads[min(steps)].name
    who = "all clocks seem" if len(steps) == of else \
        f"the clock of {first} seems" if others == 0 else \
        f"the clocks of {first} and {others} other{'s' * (others > 1)} seem"
    return [f"{who} to advance in steps of {'up to ' if min(steps.values()) < step else ''}{step} ticks "
            f"({people.time_text(step, clocked.timebase_hz)}). If so, pass --delta={Fraction(step, 2)} "
            f"({people.time_text(Fraction(step, 2), clocked.timebase_hz)}) or more; with a smaller delta, bounds may be false"]


def rests_on(solution, trace_name):
    """Whether bounds rest on that clocks run at one rate, and that they step at the same instants, which nothing has said."""
    clocked, options = solution.clocked, solution.options
    of_cell = not trace_name.endswith(".csv") or clocked.says_cores
    if of_cell or len(clocked.threads) < 2:
        return False, False
    step = options.mode in ("exact", "paper") and 2 * solution.delta < 1
    return not is_conditional(solution), step


def conditions(solution, trace_name):
    """The same in words."""
    clocked, (run, step) = solution.clocked, rests_on(solution, trace_name)
    stamps = [[clocked.time[p] for p in thread.positions] for thread in clocked.threads]
    longest = max(max(own) - min(own) for own in stamps if own)
    ppm = f" (a difference of 1 ppm adds up to {people.time_text(Fraction(longest, 10**6), clocked.timebase_hz)} in this trace)"
    rests = [f"run at the same rate{ppm if longest >= 1000 else ''}"] * run + ["tick at the same instants"] * step
    stamps = "" if is_conditional(solution) else "every timestamp is exact to the tick" if solution.delta == 0 else \
        f"every timestamp is correct to within {people.time_text(solution.delta, clocked.timebase_hz)}"
    if len(clocked.threads) < 2 or not (rests or stamps):
        return []
    clocks = [f"all clocks {' and '.join(rests)}"] if rests else []
    joint = ", and " if run and step else " and "
    delta = "--delta=1/2 or more" if step else "a larger --delta" if solution.delta > 0 else "--delta"
    order = ["the rows are in the order in which they were written; if they were sorted by time, the bounds are wrong"]
    return [f"{joint.join(clocks + [stamps] * bool(stamps))}; if not, pass {f'--drift, {delta}, or both' if run else delta}"] \
        + order * perhaps_sorted(solution)


def dropped_warnings(options):
    """For which records it all holds."""
    n = len(options.without)
    are = "1 record is" if n == 1 else f"{n} records are"
    if n == 0:
        return []
    if n < options.drop:
        return [f"{are} left out (at most {options.drop} allowed): delta is 0 without {'it' if n == 1 else 'them'}, and "
                "the bounds hold for the other records"]
    return [f"{are} left out: the bounds hold for the other records"]


def assumed_warnings(clocked):
    """What all times rest on, whatever the method."""
    found = []
    if clocked.assumed:
        found.append(f"all times and bounds hold only if {clocked.assumed} assumed "
                     f"{'number of wraps is' if clocked.assumed == 1 else 'numbers of wraps are'} correct")
    return found


CAUSES = {"drift": "clocks run at different rates", "early_stamps": "timestamps are early", "stepped_clock": "a clock was set",
          "bad_clock": "one clock contradicts all others", "steps_back": "time goes back within one thread",
          "other_unit": "clocks count in different units"}


def great(solution, diagnosis):
    """What is said of a delta that is much greater than stamps are imprecise."""
    clocked, added = solution.clocked, solution.added_ticks
    is_pex = clocked.imprecision > 0 or any(thread.context is not None for thread in clocked.threads)
    if is_pex and 2 * added > clocked.imprecision:
        return "; with such a delta, unwrapping may mistake imprecision for a written decrementer"
    if not is_pex and added * 100 > clocked.timebase_hz:
        kind = diagnosis["kind"] if diagnosis else None
        return f"; diagnosis: {CAUSES[kind]}" if kind in CAUSES else \
            "; such a large delta may mean a wrapped clock, another unit, or rows in the wrong order"
    return ""


def group(solution, belongs):
    """The figures over the pairs of threads for which belongs(s, t) holds."""
    threads = solution.clocked.threads
    ends = [solution.bounds(s, t) for s, t in solver.pairs(solution) if belongs(threads[s], threads[t])]
    errors = [upper - lower for lower, upper in ends if upper - lower < inf]
    return {"pairs": len(ends), "bounded": len(errors), "max_error_ticks": max(errors, default=None),
            "mean_error_ticks": mean_text(errors),
            "max_event_error_ticks": max(event_errors(solution, errors), default=None),
            "mean_event_error_ticks": mean_text(event_errors(solution, errors))}


def summary(solution):
    """The summary of the JSON report; means are texts, as json.loads(parse_float=str) leaves them."""
    with_ppe = solver.bounded_errors(solution, True)
    without_ppe = solver.bounded_errors(solution, False)
    threads = range(len(solution.offsets))
    return {"pairs": len(solver.pairs(solution)),
            "bounded": len(with_ppe) + len(without_ppe),
            "max_error_ticks": max(with_ppe + without_ppe, default=None),
            "max_error_spe_ticks": max(without_ppe, default=None),
            "mean_error_ppe_ticks": mean_text(with_ppe),
            "mean_error_spe_ticks": mean_text(without_ppe),
            "max_event_error_ticks": max(event_errors(solution, with_ppe + without_ppe), default=None),
            "max_event_error_spe_ticks": max(event_errors(solution, without_ppe), default=None),
            "mean_event_error_ppe_ticks": mean_text(event_errors(solution, with_ppe)),
            "mean_event_error_spe_ticks": mean_text(event_errors(solution, without_ppe)),
            "live": group(solution, are_live_together),
            "successive": group(solution, are_successive),
            "unbounded_threads": sum(solver.is_unbounded(solution, t) for t in threads)}


def members_json(thread):
    """What a clock of a CSV has, and one of a .pex has not."""
    return {} if thread.members is None else {"members": thread.members}


def kind_json(clocked, thread):
    """What a thread is; of a CSV without a PPE all are clocks."""
    return thread.kind if thread.members is None or any(t.kind == "ppe" for t in clocked.threads) else "clock"


def nanoseconds(clocked, ticks, rounded):
    """Ticks as text with three decimals; `rounded` makes an integer of a fraction. None where ticks have no known length."""
    if ticks in (inf, -inf) or clocked.timebase_assumed:
        return None
    thousandths = rounded(Fraction(ticks * 10**12, clocked.timebase_hz))
    return f"{'-' if thousandths < 0 else ''}{abs(thousandths) // 1000}.{abs(thousandths) % 1000:03d}"


def difference_json(clocked, thread, difference, least, greatest):
    """How far a clock reads ahead of the reference's; a Cell has none. difference: None where it is not known."""
    if kind_json(clocked, thread) != "clock":
        return {}
    return {"difference_ns": None if difference is None else nanoseconds(clocked, difference, lambda x: floor(x + Fraction(1, 2))),
            "difference_least_ns": nanoseconds(clocked, least, floor),
            "difference_greatest_ns": nanoseconds(clocked, greatest, ceil)}


def reading_json(solution, t):
    """The reading of a clock minus that of the reference's: their global times are equal, so offsets differ the other way round."""
    base, delta = solution.offsets[solution.tau], ceil(solution.delta)
    least, greatest = base - solution.latest(t) - delta, base - solution.earliest(t) + delta
    tied = least != -inf or greatest != inf
    return difference_json(solution.clocked, solution.clocked.threads[t],
                           base - solution.offsets[t] if tied else None,
                           *((0, 0) if t == solution.tau else (least, greatest)))


def thread_json(solution, t):
    """A thread of the JSON report."""
    thread = solution.clocked.threads[t]
    return {"name": thread.name, "kind": kind_json(solution.clocked, thread), "context": thread.context,
            "first_record": thread.positions[0], "records": len(thread.positions),
            "offset_ticks": solution.offsets[t],
            "earliest_ticks": bound_json(solution.earliest(t)), "latest_ticks": bound_json(solution.latest(t)),
            "earliest_event_ticks": bound_json(solution.earliest(t) - ceil(solution.delta)),
            "latest_event_ticks": bound_json(solution.latest(t) + ceil(solution.delta)),
            **reading_json(solution, t), **members_json(thread)}


def pair_json(solution, s, t):
    """A pair of the JSON report."""
    threads = solution.clocked.threads
    lower, upper = solution.bounds(s, t)
    return {"s": threads[s].name, "t": threads[t].name, "lower_ticks": bound_json(lower),
            "upper_ticks": bound_json(upper), "error_ticks": bound_json(upper - lower),
            "event_error_ticks": bound_json(event_error(solution, upper - lower))}


def delta_json(solution):
    """How imprecise the stamps were taken to be, and what that leaves."""
    count, largest = solver.inversions_without(solution.global_times, solution.options.without)
    return {"mode": solution.options.mode, "ticks": str(solution.delta), "inversions": count,
            "largest_inversion_ticks": largest, "adjacent_steps_back": solver.steps_back(solution.clocked)}


def order_json(clocked, times, doubted):
    """Neighbouring records in the wrong order, by the clocks as they are and by these times, and whether that is
    doubted to be the order of writing."""
    neighbours, *before = solver.wrong_neighbours(clocked, solver.aligned(clocked))
    _, *after = solver.wrong_neighbours(clocked, times)
    names = "wrong", "largest_ticks"
    return {"neighbours": neighbours, "before": dict(zip(names, before)), "after": dict(zip(names, after)),
            "doubted": bool(doubted)}


def sorted_as(clocked, without=()):
    """Whether a CSV's threads stand one after another ("thread"), or the stamps that are not left out in order of
    time; None: neither."""
    threads = clocked.threads
    if threads[0].members is None or len(threads) < 2 or len(clocked.time) < max(13, 4 * len(threads)):
        return None
    if is_by_thread(threads):
        return "thread"
    return "time" if is_by_time(clocked, without) else None


def is_by_thread(threads):
    return all(a.positions[-1] < b.positions[0] for a, b in zip(threads, threads[1:]))


def is_by_time(clocked, without):
    """Whether no stamp that is not left out is below the one before it."""
    time = [clocked.time[i] for i in solver.kept(clocked, without)]
    return all(a <= b for a, b in zip(time, time[1:]))


def perhaps_sorted(solution):
    """Whether at least 4 rows, too few to prove anything, are in the order of time, and their clock changes 3 times, or each clock
    is done before the next one begins."""
    clocked, without = solution.clocked, solution.options.without
    few = clocked.threads[0].members is not None and len(clocked.time) >= 4 and not sorted_as(clocked, without)
    changes = sum(a != b for a, b in zip(clocked.owner, clocked.owner[1:]))
    apart = changes >= 3 or (len(clocked.threads) > 1 and is_by_thread(clocked.threads))
    return few and apart and not is_conditional(solution) and is_by_time(clocked, without)


def is_order_doubted(solution):
    """Whether bounds rest on an order of the rows that is not beyond doubt."""
    return bool(sorted_as(solution.clocked, solution.options.without)) or perhaps_sorted(solution)


def as_csv(solution):
    """The solution of a trace that has become a CSV, of which the order of the rows is not beyond doubt."""
    threads = [replace(thread, members=thread.members or [], context=None) for thread in solution.clocked.threads]
    return replace(solution, clocked=replace(solution.clocked, threads=threads, imprecision=0))


def order_warnings(doubted, what):
    """What rests on the order of the records."""
    return [f"the rows look sorted by {doubted}: {what} hold only if the records are in the order in which they were written"] if doubted else []


def check_diagnosis(solution, trace_name, diagnosis):
    """Its kind is none where delta is 1/2 at most or was given, and never else; a sorted CSV is told at any delta."""
    large = is_conditional(solution) and Fraction(solution.delta) > Fraction(1, 2)
    if trace_name.endswith(".csv") and sorted_as(solution.clocked, solution.options.without):
        wanted = diagnosis["kind"] == "not_interleaved"
    else:
        wanted = diagnosis["kind"] != "not_interleaved" and (diagnosis["kind"] == "none") == (not large)
    if not wanted:
        raise AssertionError(f"diagnosis {diagnosis} with a delta of {solution.delta}")
    return diagnosis


def check_dropping(solution, profile):
    """The profile of a run that leaves records out goes as far as that, and advises nothing."""
    if profile:
        first, last = profile["entries"][0], profile["entries"][-1]
        least = solver.least_delta(solution.clocked)
        good = (first["dropped"], Fraction(first["ticks"])) == (0, least) and profile["advised"] is None and \
            (last["dropped"], Fraction(last["ticks"])) == (len(solution.options.without), solution.delta)
        if not good:
            raise AssertionError(f"profile {profile} with {solution.options.without} left out, delta {solution.delta}")
    return profile


def check_profile(solution, profile):
    """It is there where delta was estimated exactly and is above 1/2, begins with it, and falls."""
    if solution.options.drop:
        return check_dropping(solution, profile)
    large = solution.options.mode == "exact" and Fraction(solution.delta) > Fraction(1, 2)
    deltas = [Fraction(entry["ticks"]) for entry in profile["entries"]] if profile else []
    good = large == bool(deltas) and deltas == sorted(deltas, reverse=True)
    if not good or deltas and (deltas[0] != solution.delta or profile["entries"][0]["dropped"] != 0):
        raise AssertionError(f"profile {profile} with a delta of {solution.delta}")
    if profile:
        worth = [entry["dropped"] for entry in profile["entries"][1:] if 10 * Fraction(entry["ticks"]) <= deltas[0]]
        if profile["advised"] != (worth[0] if worth else None):
            raise AssertionError(f"profile {profile}: {profile['advised']} is advised")
    return profile


def dropped_json(solution):
    """The records that are left out."""
    clocked, without = solution.clocked, solution.options.without
    return [{"record": i, "thread": clocked.threads[clocked.owner[i]].name,
             "early_ticks": solver.early_ticks(solution.global_times, without, i)} for i in without]


def json_report(solution, trace_name, witness=None, diagnosis=None, profile=None):
    """The JSON report, keys in order; of several witnesses that would do, it has this one, and this diagnosis."""
    clocked = solution.clocked
    return {"trace": trace_name, "timebase_hz": clocked.timebase_hz,
            "timebase_assumed": clocked.timebase_assumed, "records": len(clocked.owner),
            "method": "bhh", "reference": clocked.threads[solution.tau].name,
            "alpha": str(Fraction(solution.options.alpha)), "center": solution.options.center, "salvaged": None,
            "order": order_json(clocked, solution.global_times, is_order_doubted(solution)), "delta": delta_json(solution),
            "conditional": is_conditional(solution), "warnings": warnings(solution, diagnosis),
            "conditions": conditions(solution, trace_name),
            "unwrapping": {"wraps": clocked.wraps, "splits": clocked.splits, "assumed": clocked.assumed},
            "switches": {"lost_outs": clocked.lost_outs, "lost_ins": clocked.lost_ins,
                         "stragglers": clocked.stragglers},
            "correction": {"monotonic": False, "records": 0, "largest_ticks": 0}, "damage": None, "witness": witness,
            "diagnosis": check_diagnosis(solution, trace_name, diagnosis) if diagnosis else None,
            "delta_profile": check_profile(solution, profile) if diagnosis else None,
            "dropped": dropped_json(solution),
            "summary": summary(solution),
            "threads": [thread_json(solution, t) for t in range(len(clocked.threads))],
            "pairs_listed": "all",
            "pairs": [pair_json(solution, s, t) for s, t in solver.pairs(solution)]}


def bool_text(is_so):
    """As CSV has it."""
    return "true" if is_so else "false"


def without_ends(name):
    """A name in a report, which has no line ends and no tabs."""
    return "".join(f"\\x{ord(c):02x}" if c in "\t\r\n" else c for c in name)


def csv_report(solution, trace_name):
    """The bytes of the CSV report."""
    lines = ["thread_s,thread_t,lower_ticks,upper_ticks,error_ticks,event_error_ticks,"
             "conditional,assumed,dropped,order_doubted,one_rate,one_step,both_ends,warnings,conditions"]
    rest = [bool_text(is_conditional(solution)), str(solution.clocked.assumed), str(len(solution.options.without)),
            bool_text(is_order_doubted(solution)), *map(bool_text, rests_on(solution, trace_name)), "false",
            " ".join(map(warning_key, warnings(solution))),
            " ".join("order" if text.startswith("the rows are") else "stamps" for text in conditions(solution, trace_name))]
    for s, t in solver.pairs(solution):
        lower, upper = solution.bounds(s, t)
        names = [pexfile.quote(without_ends(solution.clocked.threads[i].name)) for i in (s, t)]
        ends = (lower, upper, upper - lower, event_error(solution, upper - lower))
        lines.append(",".join(names + [bound_text(end) for end in ends] + rest))
    return "".join(line + "\n" for line in lines).encode()


def table_1(solution):
    """The figures that stand in every report: records, threads, largest errors, means."""
    figures = summary(solution)
    keys = ("max_event_error_ticks", "max_event_error_spe_ticks", "mean_event_error_ppe_ticks", "mean_event_error_spe_ticks")
    shown = ["-" if figures[key] is None else str(figures[key]) for key in keys]
    groups = ["-" if figures[key]["mean_event_error_ticks"] is None else figures[key]["mean_event_error_ticks"]
              for key in ("live", "successive")]
    return [str(len(solution.clocked.owner)), str(len(solution.offsets))] + shown + groups


# ------------------------------------------------------------------------------------------------ synced .pex

def table_attributes(solution, original_bytes):
    """The attributes of the synchronization element."""
    clocked = solution.clocked
    return {"method": "bhh", "reference": clocked.threads[solution.tau].name,
            "alpha": str(Fraction(solution.options.alpha)), "center": solution.options.center,
            "relax": solution.options.mode, "delta": str(solution.delta),
            "added_ticks": str(solution.added_ticks), "original_crc32": pexfile.crc32(original_bytes),
            "records": str(len(clocked.owner)), "wraps": str(clocked.wraps), "splits": str(clocked.splits),
            "assumed": str(clocked.assumed), "unwrap": "assume", "max_imprecision": str(clocked.imprecision)}


def table_row(solution, t):
    """The attributes of a ppe_thread or live_interval."""
    thread = solution.clocked.threads[t]
    placed = {"first_record": thread.positions[0], "records": len(thread.positions),
              "offset": solution.offsets[t],
              "earliest": bound_text(solution.earliest(t)), "latest": bound_text(solution.latest(t))}
    if thread.kind == "spe":
        placed.update(id=t, ctx=thread.context, decr_first=thread.decr_first)
        placed.update({} if thread.spe is None else {"spe": thread.spe})
    return {key: str(value) for key, value in placed.items()}


def local_begin(record, local):
    """The begin stamp of an interval event on the clock of the record's local time."""
    if record.core == pexfile.PPE:
        return record.begin
    duration = (record.begin - record.time) % 2**32
    return local - (duration - 2**32 if duration >= BEGIN_AFTER_END else duration)


def global_begin(record, local, time):
    """The begin stamp of a record of the synced trace."""
    if not record.flags & pexfile.INTERVAL:
        return as_signed(record.begin)
    return as_signed(local_begin(record, local)) + time - local


def as_signed(stamp):
    """A 64 bit stamp as the global form reads it."""
    return stamp - 2**64 if stamp >= 2**63 else stamp


def global_record(record, local, time):
    """The record of the synced trace."""
    return replace(record, time=time, begin=global_begin(record, local, time))


def global_trace(solution, trace):
    """The TraceFile of the synced trace."""
    records = [global_record(*fields)
               for fields in zip(trace.records, solution.clocked.time, solution.global_times)]
    return pexfile.TraceFile(records, pexfile.GLOBAL_TIME, trace.extra_header, len(records))


# --------------------------------------------------------------------------------------------------- CSV traces

def event_name(pex, record):
    """The name of a record's event: that of the metadata, else, of a PPE record, that of the group GENERAL."""
    general = GENERAL_NAMES.get(record.event, "") if record.core == pexfile.PPE else ""
    return pex.event_names.get(record.event, general)


def csv_row(solution, pex, position):
    """The fields of a record of a .pex in a CSV trace."""
    r, local = pex.trace.records[position], solution.clocked.time[position]
    return [solution.clocked.threads[solution.clocked.owner[position]].name, str(local),
            str(solution.global_times[position]), "spe" if r.core else "ppe", str(r.thread), f"0x{r.event:04x}",
            event_name(pex, r), str(local_begin(r, local)) if r.flags & pexfile.INTERVAL else "",
            f"0x{r.pc:08x}", " ".join(map(str, r.values)), str(r.time), str(r.begin)]


def csv_facts(solution, original, trace_name=".pex", diagnosis=None):
    """The first lines of a synchronized CSV. `original`: the bytes without them."""
    rests = [f" {key}=yes" for key, is_so in zip(("one_rate", "one_step"), rests_on(solution, trace_name)) if is_so]
    name = re.sub(r"[\0- %\x7f]", lambda m: f"%{ord(m.group()):02X}", solution.clocked.threads[solution.tau].name)
    return (f"# cellsync reference={name} alpha={Fraction(solution.options.alpha)} delta={solution.delta} "
            f"added_ticks={solution.added_ticks} original_crc32=0x{zlib.crc32(original):08x} "
            f"relax={solution.options.mode} center={solution.options.center}{dropped_fact(solution.options.without)}"
            f"{' conditional=yes' if is_conditional(solution) else ''}{assumed_fact(solution.clocked)}"
            f"{' order_doubted=yes' if is_order_doubted(solution) else ''}{''.join(rests)}"
            + warning_lines(warnings(solution, diagnosis)))


def warning_lines(texts):
    """The lines of warnings after the first line of a synchronized CSV."""
    return "".join(f"\n# cellsync-warning: {text}" for text in texts)


def dropped_fact(without):
    """Which records are left out."""
    return f" dropped={','.join(map(str, without))}" if without else ""


def assumed_fact(clocked):
    """The end of the first line where gaps were assumed."""
    return f" assumed={clocked.assumed}" if clocked.assumed else ""


def csv_trace(solution, pex, facts=csv_facts, diagnosis=None):
    """The bytes of the CSV trace that a .pex becomes."""
    lines = [CSV_COLUMNS] + [csv_row(solution, pex, i) for i in range(len(pex.trace.records))]
    head = f"# timebase_hz={pex.timebase_hz}\n"
    rows, original = ("".join(",".join(pexfile.quote(f) for i, f in enumerate(fields) if i != dropped) + "\n"
                              for fields in lines) for dropped in (None, CSV_COLUMNS.index("global_time")))
    first = facts(solution, (head + original).encode(), ".pex", diagnosis)
    return f"{first}\n{head}{rows}".encode()
