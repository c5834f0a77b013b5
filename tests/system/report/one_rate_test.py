"""--drift=0 --delta=least: clocks of one rate, and the least delta that explains the trace, whatever the defaults are.

one_rate.sums has a line for each trace of testdata and each output: the first 16 digits of its SHA-256, as cellsync wrote it
without options while these were the defaults.  Comments are left out, as later versions warn of more.  UPDATE=1 writes the file anew.
Usage: one_rate_test.py CELLSYNC SOURCE_DIR
"""
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

CELLSYNC, SOURCE = sys.argv[1], Path(sys.argv[2])
SUMS = Path(__file__).with_name("one_rate.sums")
FOLDERS = (".", "good", "order", "samples", "finds", "recipes", "strangers")
OUTPUTS = (("csv", ["--to=csv", "-o"]), ("clocks", ["--clocks"]), ("json", ["--report-format=json", "--pairs=all", "-r"]))


def numbers(kind, data):
    """What does not depend on the wording of warnings and conditions."""
    if kind != "json":
        return b"\n".join(line for line in data.split(b"\n") if not line.startswith(b"#"))
    report = json.loads(data)
    for thread in report["threads"]:    # keys that are newer
        for key in ("difference_ns", "difference_least_ns", "difference_greatest_ns"):
            thread.pop(key, None)
    kept = {key: report.get(key) for key in ("imprecision", "threads", "pairs", "summary", "inversions", "matched")}
    return json.dumps(kept, sort_keys=True).encode()


def sums():
    with tempfile.TemporaryDirectory() as folder:
        for name in FOLDERS:
            for trace in sorted((SOURCE / "testdata" / name).iterdir()):
                if trace.suffix not in (".pex", ".csv") or trace.stem.endswith((".bounds", ".offsets")):
                    continue
                for kind, options in OUTPUTS:
                    out = Path(folder, "out")
                    run = subprocess.run([CELLSYNC, "-q", "--drift=0", "--delta=least", "--threads=1", trace, *options, out],
                                         capture_output=True, timeout=100)
                    said = f"exit {run.returncode}"
                    if run.returncode == 0:
                        said = hashlib.sha256(numbers(kind, out.read_bytes())).hexdigest()[:16]
                        out.unlink()
                    yield f"{said} {kind} {trace.relative_to(SOURCE)}"


found = list(sums())
if os.environ.get("UPDATE"):
    SUMS.write_text("\n".join(found) + "\n")
wanted = SUMS.read_text().splitlines()
wrong = sorted(set(wanted) ^ set(found))
print(f"{len(found)} outputs, {sum('exit' in line for line in found)} of them refused")
if len(found) < 100 or wrong:
    sys.exit("differ:\n" + "\n".join(wrong))
