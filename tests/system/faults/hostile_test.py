"""Inputs that want to do harm: what they say never reaches a terminal or a spreadsheet as more than text, and they take
memory in proportion to their size.

    hostile_test.py CELLSYNC PEAK

Names with control characters, escape sequences, formulas and markup go through every format and message.  Standard output
is closed for all that is printed there.
"""
import gzip
import json
import os
import pathlib
import re
import resource
import struct
import signal
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent.parent / "tools"))
from make_bad import SPE, SWITCH_IN, document, header, ppe, record  # noqa: E402

EVIL = ["\x1b[31mred", "\x07bell", "\x7f", "\u009b31m", "=1+1", "+cmd", "-cmd", "@cmd", "\\input{x}", "%$#_&{}~^", "</script><b>", "-->",
        'a"b', "'", "{\"x\":1}", "line\nbreak", "a\tb", "\u202egnp", "*/", "\\\"]; }"]
HZ = '<machine timebase_hz="14318000" name="{}"/>'
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
GROWTH_KIB = 2048


class Failed(Exception):
    pass


def text_for(name):
    """In an attribute; XML has no C0 controls but three."""
    text = "".join(c if c in "\t\n" or ord(c) >= 0x20 else "?" for c in name)
    return "".join(f"&#{ord(c)};" if not c.isalnum() else c for c in text)


class Runner:
    def __init__(self, cellsync, peak, tmp):
        self.cellsync, self.peak, self.tmp = cellsync, peak, tmp

    def run(self, *arguments, **more):
        return subprocess.run([self.cellsync, *arguments], cwd=self.tmp, stderr=subprocess.PIPE,
                              **{"stdout": subprocess.PIPE, **more})

    def shown(self, *arguments, code=0):
        """Standard output and error, neither with control characters."""
        result = self.run(*arguments)
        out, error = result.stdout.decode(), result.stderr.decode()
        if result.returncode != code:
            raise Failed(f"{arguments}: exit status {result.returncode}: {error}")
        for text in (out, error):
            if found := CONTROL.search(text):
                raise Failed(f"{arguments}: {text[max(0, found.start() - 40):found.end() + 40]!r}")
        return out

    def measure(self, *arguments):
        result = subprocess.run([self.peak, self.cellsync, *arguments], cwd=self.tmp, capture_output=True, check=False)
        if result.returncode != 0:
            raise Failed(f"{arguments}: {result.stderr.decode()}")
        return int(result.stdout)


def write_names(tmp):
    rows = [f'"{name.replace(chr(34), chr(34) * 2)}",{1000 * i + 10 * turn}' for turn in range(3) for i, name in enumerate(EVIL)]
    (tmp / "names.csv").write_text("thread,time\n" + "\n".join(rows) + "\n", newline="")
    types = "".join(f'<recordType id="{0x1000 + i}" name="{text_for(name)}"><field name="{text_for(name)}"/></recordType>'
                    for i, name in enumerate(EVIL))
    records = [ppe(SWITCH_IN, 1000, 1, 0)] + [ppe(0x1000 + i, 2000 + i, 7) for i in range(len(EVIL))]
    (tmp / "names.pex").write_text(document(machine=HZ.format(text_for("".join(EVIL))), trace_file='<trace_file href="names.trace"/>',
                                            more=types))
    (tmp / "names.trace").write_bytes(header(len(records)) + b"".join(records))
    for name in EVIL:
        if "/" not in name:
            (tmp / f"x{name}.csv").write_bytes((tmp / "names.csv").read_bytes())


def formulas(text):
    return [line for line in text.splitlines() for field in line.split(",") if re.match(r"[=+@-][^0-9]", field) and field != "-inf"]


def try_names(runner):
    for trace in ("names.csv", "names.pex"):
        for report in ("text", "csv", "html", "json"):
            out = runner.shown(trace, f"--report-format={report}")
            if report == "json":
                json.loads(out)
            if report == "csv" and formulas(out):
                raise Failed(f"{trace}: {formulas(out)}")
            if report == "html" and re.search(r"</script><b>|<b>", out):
                raise Failed("markup in the page")
        json.loads(runner.shown(trace, "-o", "-", "--to=json"))
        for graph in ("constraints", "bounds"):
            out = runner.shown(trace, "--graph=-", f"--graph-of={graph}")
            for line in out.splitlines():
                if re.sub(r'"(\\.|[^"\\])*"', "", line).count('"'):
                    raise Failed(f"{trace}: {line}")
    if found := formulas(runner.shown("names.pex", "-o", "-", "--to=csv")):
        raise Failed(f"names.pex: {found}")
    for trace in ("names.pex", "names.csv"):
        runner.shown(trace, "-o", "names.ctf")
        metadata = (runner.tmp / "names.ctf/metadata").read_text()
        for part in re.findall(r'"(?:\\.|[^"\\])*"', metadata):
            metadata = metadata.replace(part, "", 1)
        if '"' in metadata or CONTROL.search(metadata):
            raise Failed("CTF metadata")
    for i in range(1, len(EVIL)):
        runner.shown("names.csv", f"--explain={EVIL[0]},{EVIL[i]}")
        runner.shown("names.csv", f"--explain={EVIL[i]}", code=2)
        runner.shown("names.csv", f"--report-format={EVIL[i]}", code=2)
        runner.shown("names.csv", f"--delta={EVIL[i]}", code=2)
        runner.shown("names.csv", f"--reference={EVIL[i]}x", code=2)
        runner.shown("names.csv", f"--x{EVIL[i]}", code=2)


def try_paths(runner):
    for name in EVIL:
        if "/" in name:
            continue
        runner.shown("-v", f"x{name}.csv", "-r", f"out{name}.txt")
        runner.shown(f"gone{name}", code=1)
        runner.shown("names.csv", "-o", f"nowhere/{name}.csv", code=1)
        table = runner.shown(f"x{name}.csv", "names.csv", "-r", "-", "--report-format=tex")
        runner.shown(f"x{name}.csv", "names.csv", "-r", "-", "--report-format=csv")
        if re.search(r"\\input|[^\\][$#&_]x|[^\\]%\$", "\n".join(line for line in table.splitlines() if line[0] != "%")):
            raise Failed(f"in TeX: {table}")


def try_closed_pipes(runner):
    shown = [["names.csv"], ["names.csv", "-o", "-"], ["names.csv", "-o", "-", "--to=json"], ["names.pex", "-o", "-"],
             ["names.csv", "--graph=-"], ["names.csv", f"--explain={EVIL[0]},{EVIL[1]}"], ["names.csv", "names.csv"], ["--help"],
             ["--version"], ["--check", "synced.pex"]]
    shown += [["names.csv", f"--report-format={f}"] for f in ("text", "csv", "html", "json")]
    if runner.run("names.pex", "-o", "synced.pex").returncode:
        raise Failed("names.pex")
    before = sorted(os.listdir(runner.tmp))
    for arguments in shown:
        ends = os.pipe()
        os.close(ends[0])
        result = runner.run(*arguments, stdout=ends[1])
        os.close(ends[1])
        if result.returncode != -signal.SIGPIPE or b"Broken pipe" in result.stderr:
            raise Failed(f"{arguments}, closed: exit status {result.returncode}: {result.stderr.decode()}")
    if sorted(os.listdir(runner.tmp)) != before:
        raise Failed("something was left")


def write_packed(tmp, name, n):
    block = ppe(0x0105, 1000) * 4096
    (tmp / f"{name}.pex").write_text(document(trace_file=f'<trace_file href="{name}.trace.gz" compression="gzip"/>'))
    with gzip.GzipFile(tmp / f"{name}.trace.gz", "wb", 9, mtime=0) as file:
        file.write(header(4096 * n))
        for _ in range(n):
            file.write(block)


def try_memory(runner):
    """A gzip bomb of 64 MiB takes what one of 2 MiB takes; contexts take memory each, whatever their numbers."""
    write_packed(runner.tmp, "small", 16)
    write_packed(runner.tmp, "bomb", 512)
    for arguments in (["-o", "/dev/null", "--to=csv"], ["-r", "/dev/null"]):
        small, bomb = (runner.measure("-q", f"{name}.pex", "--threads=2", *arguments) for name in ("small", "bomb"))
        print(f"gzip, {arguments[0]}: {small} KiB for {16 * 4096} records, {bomb} KiB for {512 * 4096}")
        if bomb > small + GROWTH_KIB:
            raise Failed("memory grows with what gzip makes")
    peaks = []
    for n, spread in ((2000, 1), (2000, 2654435761)):
        contexts = [record(SPE, 0x0505, i * spread & 0xffffffff, struct.pack(">II", 5000, 0)) for i in range(n)]
        (runner.tmp / "contexts.pex").write_text(document(trace_file='<trace_file href="contexts.trace"/>'))
        (runner.tmp / "contexts.trace").write_bytes(header(n + 2) + ppe(0x105, 1000) + b"".join(contexts) + ppe(0x105, 2000))
        peaks.append(runner.measure("-q", "contexts.pex", "-r", "/dev/null"))
    print(f"contexts: {peaks[0]} KiB for 2000 that are numbered from 0, {peaks[1]} KiB for 2000 from all 2^32 numbers")
    if peaks[1] > peaks[0] + GROWTH_KIB:
        raise Failed("memory grows with the numbers of contexts")
    (runner.tmp / "claim.pex").write_text(document(trace_file='<trace_file href="claim.trace"/>'))
    (runner.tmp / "claim.trace").write_bytes(header(2**64 - 2) + ppe(0x105, 1000))
    claim = runner.measure("-q", "claim.pex", "--salvage", "-r", "/dev/null")
    if claim > small + GROWTH_KIB:
        raise Failed(f"{claim} KiB for a header that counts 2^64 records")


def try_limits(runner):
    """XML takes memory in proportion; a limit of it is an error like others."""
    (runner.tmp / "wide.trace").write_bytes(header(2) + ppe(0x105, 1000) + record(SPE, 0x0505, 1, struct.pack(">II", 5000, 0)))
    documents = {"elements": '<a b="1"/>', "fields": "<field/>", "rows": '<ppe_thread first_record="{}" records="0" '
                 'offset="0" earliest="0" latest="0"/>', "threads": '<ppe tid="{}"/>', "comments": "<!--live intervals-->"}
    around = {"fields": ('<recordType id="1" name="a">', "</recordType>"), "threads": ("<threads>", "</threads>"),
              "rows": ("<synchronization>", "</synchronization>")}
    for name, element in documents.items():
        for arguments in (["-r", "/dev/null"], ["-o", "out.pex"]):
            sizes = []
            for size in (1 << 20, 6 << 20):
                begin, end = around.get(name, ("<g>", "</g>"))
                more = begin + "".join(element.format(i) for i in range(size // len(element))) + end
                wide = document(trace_file='<trace_file href="wide.trace"/>', more=more)
                (runner.tmp / "wide.pex").write_text(wide)
                sizes.append((len(wide) / 1024, runner.measure("-q", "wide.pex", *arguments)))
            factor = (sizes[1][1] - sizes[0][1]) / (sizes[1][0] - sizes[0][0])
            print(f"XML of {name}, {arguments[0]}: {factor:.1f} times its size")
            if factor > 2.5:
                raise Failed("too much memory for XML")
            for made in runner.tmp.glob("out.*"):
                made.unlink()
    (runner.tmp / "wide.pex").write_text(document(trace_file='<trace_file href="wide.trace"/>', more="x" * (120 << 20)))
    n = 6000
    contexts = b"".join(record(SPE, 0x0505, i, struct.pack(">II", 5000, 0)) for i in range(n))
    (runner.tmp / "contexts.trace").write_bytes(header(n + 1) + ppe(0x105, 1000) + contexts)
    for arguments in (["wide.pex"], ["contexts.pex", "--engine=dense", "--threads=1"]):
        result = runner.run("-q", *arguments, "-o", "out.pex",
                            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (130 << 20, 130 << 20)))
        if result.returncode != 1 or b"no memory" not in result.stderr or (runner.tmp / "out.pex").exists():
            raise Failed(f"{arguments}, 130 MiB: exit status {result.returncode}: {result.stderr.decode()}")


def main():
    cellsync, peak = (pathlib.Path(p).resolve() for p in sys.argv[1:3])
    failures = 0
    with tempfile.TemporaryDirectory() as tmp:
        runner = Runner(cellsync, peak, pathlib.Path(tmp))
        write_names(runner.tmp)
        for attempt in (try_names, try_paths, try_closed_pipes, try_memory, try_limits):
            try:
                attempt(runner)
            except Failed as failure:
                print("FAILED:", attempt.__name__, failure)
                failures += 1
    return failures > 0


sys.exit(main())
