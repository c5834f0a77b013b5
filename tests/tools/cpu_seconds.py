#!/usr/bin/env python3
"""Measures the CPU time of each test of a build, and writes one column of tests/cpu_seconds.

    cpu_seconds.py BUILD [--jobs=N] [CTEST_OPTION...]     options of ctest select tests, for example -L unit

Run it in the top folder. The second column is for builds with a sanitizer. Exit status 1 if a test fails.
"""
import json
import os
import pathlib
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

TABLE = pathlib.Path("tests/cpu_seconds")


def tests_of(build, options):
    shown = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1", *options], stdout=subprocess.PIPE, check=True)
    for test in json.loads(shown.stdout)["tests"]:
        properties = {p["name"]: p["value"] for p in test["properties"]}
        yield test["name"], test["command"], properties


def measure(test):
    """Run a test. Returns its name, exit status, and CPU time in seconds, including child processes."""
    name, command, properties = test
    environment = dict(os.environ, **dict(v.split("=", 1) for v in properties.get("ENVIRONMENT", ())))
    begun = time.monotonic()
    program = subprocess.Popen(command, cwd=properties["WORKING_DIRECTORY"], env=environment, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    said = program.stdout.read().decode(errors="replace")
    _, status, usage = os.wait4(program.pid, 0)
    status = program.returncode = os.waitstatus_to_exitcode(status)
    seconds = usage.ru_utime + usage.ru_stime
    print(f"{name}: {seconds:.1f} s, {time.monotonic() - begun:.1f} s elapsed", flush=True)
    if status == 77 and properties.get("SKIP_RETURN_CODE") == 77:
        print(f"{name}: skipped: {said.strip()}", flush=True)
    elif status:
        print(f"{name}: FAILED, status {status}\n{said}", flush=True)
    return name, status, seconds


def read_table():
    lines = TABLE.read_text().splitlines()
    head = [line for line in lines if line.startswith("#")]
    return head, {line.split()[0]: line.split()[1:] for line in lines if line and not line.startswith("#")}


def main(build, *options):
    jobs = next((int(o.split("=")[1]) for o in options if o.startswith("--jobs=")), 1)
    options = [o for o in options if not o.startswith("--jobs=")]
    column = "-fsanitize" in pathlib.Path(build, "CMakeCache.txt").read_text()
    with ThreadPoolExecutor(jobs) as pool:
        measured = list(pool.map(measure, tests_of(build, options)))
    head, rows = read_table()
    for name, status, seconds in measured:
        if status == 0:
            rows.setdefault(name, ["-", "-"])[column] = str(max(1, round(seconds)))
    TABLE.write_text("\n".join(head + [" ".join([name, *rows[name]]) for name in sorted(rows)]) + "\n")
    return any(status not in (0, 77) for _, status, _ in measured)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
