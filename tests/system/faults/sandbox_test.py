#!/usr/bin/env python3
"""What a parser that has been taken over can open: the trace's folder to read, folders of outputs to write, no more.

    sandbox_test.py CELLSYNC SPY TESTDATA      exit status 77 where the kernel has no Landlock
"""
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

DENIED, DONE = "Permission denied", "done"


def run(cellsync, spy, folder, paths, *arguments):
    """The argument "<" names what standard input is; "|" makes it a pipe."""
    environment = {**os.environ, "LD_PRELOAD": str(spy), "CELLSYNC_SPY": " ".join(paths),
                   "TMPDIR": str(folder / "spool")}
    given = arguments[-1] if arguments[-1][0] in "<|" else ""
    return subprocess.run(["sh", "-c", f'cat {given[1:]} | "$@"' if given[:1] == "|" else f'exec "$@" {given}', "sh", cellsync,
                           *arguments[:len(arguments) - bool(given)]],
                          cwd=folder, env=environment, capture_output=True, text=True)


def seen(process):
    """What came of each attempt, by its name."""
    return dict(line[5:].rsplit(": ", 1) for line in process.stderr.splitlines() if line.startswith("spy: "))


def prepare(tmp, data):
    for name in ("in", "out", "other", "spool"):
        (tmp / name).mkdir()
    for suffix in ("pex", "trace"):
        shutil.copy(data / f"samples/plain.{suffix}", tmp / "in")
    shutil.copy(data / "samples/embedded.pex", tmp / "in")
    (tmp / "other/secret").write_text("of another program\n")
    (tmp / "in/beside").write_text("beside the trace\n")
    shutil.copytree(data / "otf2", tmp / "in", dirs_exist_ok=True)
    (tmp / "in/log.pex").write_text('<pdt_trace version="2"><machine name="QS22" timebase_hz="1000"/>'
                                    '<trace_file format="event80" href="a.log" ctx="1" rank="0" node="0" cell="0" spe="0"/>'
                                    '</pdt_trace>')
    (tmp / "in/a.log").write_bytes(struct.pack(">ddI4xQQh6x8i", 0.5, 0, 0, 0, 0, 1, *[0] * 8))
    # A run of a program, as celltrace(1) writes it, and one whose files lead elsewhere, below TMPDIR.
    for folder in ("run", "spool/run"):
        (tmp / folder).mkdir()
        (tmp / folder / "h.1.pex").write_text(
            '<pdt_trace version="2"><machine name="h" timebase_hz="1000"/><trace_file href="h.1.trace"/>'
            '<clock kind="local" id="c" source="tsc" hz="1000"/><order granularity="block" after="block"/>'
            '<process host="h" pid="1" ppid="1" program="p" start="2026-01-01T00:00:00Z"/><recording complete="yes"/>'
            '<pdtGroup name="G" id="0x05"><recordType name="R" id="0x0105"/></pdtGroup></pdt_trace>')
        (tmp / folder / "h.1.trace").write_bytes(struct.pack(">8sHHIQ8x", b"PDTTRACE", 1, 32, 0, 1) +
                                                 struct.pack(">HBBHHIIQQ", 32, 0, 0, 0x0105, 0, 7, 0, 5, 0))
    (tmp / "led-run").mkdir()
    for name in ("h.1.pex", "h.1.trace"):
        (tmp / "led-run" / name).symlink_to(f"../spool/run/{name}")
    (tmp / "link.pex").symlink_to("in/plain.pex")
    # Records that lead out of the folder of the trace.
    (tmp / "led").mkdir()
    shutil.copy(data / "samples/plain.pex", tmp / "led")
    (tmp / "led/plain.trace").symlink_to("../in/plain.trace")


ATTEMPTS = ["</etc/passwd", "<other/secret", ">other/new", ">in/new", "<in/beside", ">out/new", ">new", ">spool/new",
            "<spool/run/h.1.pex"]
SPOOL = {">spool/new", "<spool/run/h.1.pex"}


def cases(has_otf2):
    """Arguments, and what may be opened; all else may not."""
    yield ["in/plain.pex"], {"<in/beside"}
    yield ["in/plain.pex", "-o", "out/a.pex"], {"<in/beside", ">out/new"}
    yield ["in/plain.pex", "-r", "out/a.html"], {"<in/beside", ">out/new"}
    yield ["in/plain.pex", "--graph=out/a.dot"], {"<in/beside", ">out/new"}
    yield ["in/plain.pex", "-o", "out/a.ctf"], {"<in/beside", ">out/new"}
    yield ["run", "-o", "out/run.csv"], {">out/new"}
    yield ["--check", "--original=run", "out/run.csv"], SPOOL
    yield ["-", "<in/embedded.pex"], {"<in/beside", "<other/secret", "<spool/run/h.1.pex"}  # below the working folder
    yield ["-", "|in/embedded.pex"], {"<in/beside", "<other/secret", *SPOOL}
    yield ["link.pex"], {"<in/beside", "<other/secret", "<spool/run/h.1.pex"}  # which lies below the folder of the link
    yield ["in/log.pex", "-o", "out/log.csv"], {"<in/beside", ">out/new"}
    yield ["--check", "--original=in/log.pex", "out/log.csv"], {"<in/beside", *SPOOL}  # the events of a CSV are copied
    if has_otf2:
        yield ["in/traces.otf2"], {"<in/beside"}
        yield ["in/traces.otf2", "-o", "out/archive"], {"<in/beside", ">out/new"}
        yield ["--check", "out/archive/traces.otf2"], set()
    yield ["--no-sandbox", "in/plain.pex"], {*ATTEMPTS, "connect"}


def faults(cellsync, spy, tmp, has_otf2):
    for arguments, allowed in cases(has_otf2):
        process = run(cellsync, spy, tmp, ATTEMPTS, *arguments)
        answers = seen(process)
        if process.returncode != 0:
            yield f"{arguments}: exit status {process.returncode}: {process.stderr}"
        if set(answers) != {*ATTEMPTS, "connect"}:
            yield f"{arguments}: the spy did not run: {process.stderr}"
        for what, answer in answers.items():
            want = DONE if what in allowed else DENIED
            if answer != want and not (what == "connect" and answer == "Connection refused" and what in allowed):
                yield f"{arguments}: {what}: {answer}, want {want}"
        for name in ("out/new", "new", "other/new", "in/new", "spool/new"):
            (tmp / name).unlink(missing_ok=True)
    led = subprocess.run([cellsync, "led/plain.pex"], cwd=tmp, capture_output=True, text=True)
    want = ("cellsync: led/plain.trace: Permission denied\ncellsync: files outside the folder of TRACE cannot be read; see --no-sandbox\n")
    if (led.returncode, led.stderr) != (1, want):
        yield f"records elsewhere: exit status {led.returncode}: {led.stderr}"
    led = run(cellsync, "", tmp, [], "-q", "led-run")
    if led.returncode != 1 or "led-run/h.1.pex: Permission denied" not in led.stderr:
        yield f"a run whose files are below TMPDIR: exit status {led.returncode}: {led.stderr}"
    if subprocess.run([cellsync, "--no-sandbox", "led/plain.pex"], cwd=tmp, capture_output=True).returncode != 0:
        yield "records elsewhere are refused without a sandbox, too"


def main(cellsync, spy, data):
    with tempfile.TemporaryDirectory() as name:
        tmp = pathlib.Path(name)
        prepare(tmp, data)
        said = subprocess.run([cellsync, "-v", "in/plain.pex"], cwd=tmp, capture_output=True, text=True).stderr
        if said.splitlines()[0] != "cellsync: sandbox: Landlock":
            print(said.splitlines()[0])
            return 77
        tried = subprocess.run([cellsync, "in/traces.otf2"], cwd=tmp, capture_output=True)
        has_otf2 = b"without OTF2" not in tried.stderr
        found = list(faults(cellsync, spy, tmp, has_otf2))
    print("\n".join(found))
    print(f"{len(list(cases(has_otf2)))} ways to call, {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).absolute(), pathlib.Path(sys.argv[2]).absolute(),
                  pathlib.Path(sys.argv[3]).absolute()))
