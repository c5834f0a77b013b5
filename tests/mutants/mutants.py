"""Mistakes that tests must see: each is made in a copy of the tree, and one of its tests must then fail.

    mutants.py BUILD [NAME...]

BUILD/tree is the copy, BUILD/build is where it is built. A mutant is a text that stands once in a file, what is put in its
place, and unit tests: all pass without it, one of them must fail with it. The first five kinds are mistakes that were made
before ranges were right, or nearly. Exit status 1: a mutant lives, or its text is no longer there.
"""

import os
import re
import shutil
import subprocess
import sys

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LEFT_OUT = {".git", "build", "__pycache__"}
FAILED = 1          # of a unit test: an assertion did; all else is no answer

MUTANTS = {
    "level of the base order": (
        "no more are ever active than the base order has",
        "stat/analysis/ranges/levels.c",
        "        narrow_levels(levels, at_least, exactly);\n        if (levels->run->reach.added",
        "        for (size_t i = 1; i <= n; i++)\n"
        "            if (levels->base.levels[i - 1].turns == 0)\n"
        "                at_least[i].lo = at_least[i].hi = 0;\n"
        "        narrow_levels(levels, at_least, exactly);\n        if (levels->run->reach.added",
        ["levels"]),
    "own records by stamps": (
        "a begin is put among the records of its own actor by stamps that are off",
        "stat/instants/merge.c",
        "- global > m->in->imprecision_ticks;",
        "- global > 0;",
        ["histories"]),
    "length 0 dropped": (
        "a wait whose stamps say that it took no time is none, though they are off",
        "stat/instants/actors.c",
        "interval && !missed && event_kind_may_wait(event_kind)",
        "interval && out->begin.global_ticks < out->end.global_ticks && !missed && event_kind_may_wait(event_kind)",
        ["histories", "levels"]),
    "identities under delta": (
        "sums of times hold as stamped, though stamps are off",
        "stat/analysis/ranges/levels.c",
        "        if (levels->run->reach.added_ticks == 0)\n            status = narrow",
        "        if (n > 0)\n            status = narrow",
        ["histories", "levels"]),
    "rounding inward: shares": (
        "the ends of a share are rounded to the inside",
        "stat/analysis/ranges/levels.c",
        "range->lo = (int64_t)floor_div(share->least.part * SHARE_PARTS, share->least.whole);\n"
        "    range->hi = (int64_t)ceil_div(share->greatest.part * SHARE_PARTS, share->greatest.whole);",
        "range->lo = (int64_t)ceil_div(share->least.part * SHARE_PARTS, share->least.whole);\n"
        "    range->hi = (int64_t)floor_div(share->greatest.part * SHARE_PARTS, share->greatest.whole);",
        ["levels"]),
    "rounding inward: roots": (
        "the step to the root of a share is rounded to the inside",
        "stat/analysis/ranges/levels.c",
        "int128 next = share + ceil_div(value, rate);",
        "int128 next = share + floor_div(value, rate);",
        ["levels"]),
    "chord without delta": (
        "what stamps are off is left out of the time by which two changes are inverted",
        "stat/analysis/ranges/swaps.c",
        "+ slope * (added - distance);",
        "+ slope * (-distance);",
        ["levels", "histories"]),
    "outer places half as far": (
        "a change is taken to be nearer than clocks may move it",
        "stat/analysis/ranges/outer.c",
        "int128 far = (int128)by + o->reach->added_ticks;",
        "int128 far = (int128)by / 2 + o->reach->added_ticks;",
        ["levels"]),
    "outer places as late as they can be": (
        "what makes less comes late in what is at least, too",
        "stat/analysis/ranges/outer.c",
        "bool late = (end == OUTER_MOST) == (change->sign < 0);",
        "bool late = change->sign < 0;",
        ["levels"]),
}


def source_files():
    """All files of the tree, by their paths from its top."""
    for folder, folders, files in os.walk(TOP):
        folders[:] = [name for name in folders if name not in LEFT_OUT]
        for name in files:
            yield os.path.relpath(os.path.join(folder, name), TOP)


def copy_tree(tree):
    """Bring the copy up to date, and touch only what is not: what was built of it stays."""
    wanted = set(source_files())
    for path in wanted:
        source, copy = os.path.join(TOP, path), os.path.join(tree, path)
        with open(source, "rb") as file:
            content = file.read()
        if os.path.isfile(copy):
            with open(copy, "rb") as file:
                if file.read() == content:
                    continue
        os.makedirs(os.path.dirname(copy), exist_ok=True)
        shutil.copy(source, copy)
    for folder, _, files in os.walk(tree):
        for name in files:
            if os.path.relpath(os.path.join(folder, name), tree) not in wanted:
                os.remove(os.path.join(folder, name))


def program(test):
    """The program of a unit test, and what it is called with: see tests/unit/CMakeLists.txt."""
    with open(os.path.join(TOP, "tests/unit/CMakeLists.txt"), encoding="utf-8") as file:
        lists = dict(re.findall(r"^set\((suites\w*) (.*?)\)", file.read(), re.MULTILINE))
    if test in lists["suites_alone"].split():
        return [f"test_{test}"]
    return ["unit_of_threads" if test in lists["suites_of_threads"].split() else "unit", test]


def build(folder, tests):
    """Why the tests cannot be built, or nothing."""
    done = subprocess.run(["cmake", "--build", folder, "-j", str(os.cpu_count()), "--target", *{program(t)[0] for t in tests}],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.stdout[-2000:] if done.returncode else ""


def run(folder, test):
    """Exit status and output of a unit test."""
    name, *arguments = program(test)
    done = subprocess.run([os.path.join(folder, "tests/unit", name), *arguments], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout


def try_mutant(tree, folder, name):
    """What is wrong with a mutant, or nothing: it was killed."""
    _, path, old, new, tests = MUTANTS[name]
    path = os.path.join(tree, path)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    if text.count(old) != 1:
        return f"its text stands {text.count(old)} times in {MUTANTS[name][1]}, not once"
    try:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(old, new))
        problem = build(folder, tests)
        if problem:
            return f"it cannot be built:\n{problem}"
        for test in tests:
            status, output = run(folder, test)
            if status == FAILED:
                said = [line for line in output.splitlines() if ":F:" in line or ":E:" in line]
                print(f"{name}: killed by {test}: {said[0].split(':', 6)[-1] if said else output[-200:]}", flush=True)
                return ""
            if status:
                return f"{test} ended with status {status}:\n{output[-2000:]}"
        return f"it lives: {', '.join(tests)} did not see that {MUTANTS[name][0]}"
    finally:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def main(into, names):
    for name in names:
        if name not in MUTANTS:
            sys.exit(f"mutants.py: {name}: expected one of: {'; '.join(MUTANTS)}")
    tree, folder = os.path.join(into, "tree"), os.path.join(into, "build")
    os.makedirs(tree, exist_ok=True)
    copy_tree(tree)
    subprocess.run(["cmake", "-S", tree, "-B", folder, "-D", "CMAKE_BUILD_TYPE=Release", "-D", "BUILD_TESTING=ON"],
                   stdout=subprocess.DEVNULL, check=True)
    names = names or list(MUTANTS)
    tests = sorted({test for name in names for test in MUTANTS[name][-1]})
    problem = build(folder, tests)
    if problem:
        sys.exit(f"mutants.py: the tree itself cannot be built:\n{problem}")
    for test in tests:
        status, output = run(folder, test)
        if status:
            sys.exit(f"mutants.py: {test} fails without any mutant:\n{output[-2000:]}")
    wrong = 0
    for name in names:
        problem = try_mutant(tree, folder, name)
        if problem:
            print(f"{name}: {problem}", flush=True)
            wrong += 1
    print(f"{len(names) - wrong} of {len(names)} mutants killed")
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
