"""The power goes before each call of a run that changes something on disk: the old output is there then, or the new one, whole.

    images_test.py CELLSYNC FAULTY_LIBRARY TESTDATA

A file system of its own, ext4 in a file, is written to; before each such call, and when the run is over, that file is copied.
Each copy is mounted, which plays back the journal as after a power cut.  What a run has reported as written is in the last
copy.  Where this may not be, the order of calls is looked at instead: nothing gets its name before it is synced, no .pex before
its records have theirs for good, and the run is not over before the folder is synced.
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

SKIP = 77
IMAGE_BYTES = 8 << 20
SCENARIOS = [["-o", "out.pex"], ["-o", "out.pex", "--compress"], ["-o", "out.pex", "--embed"], ["-o", "out.csv"], ["-o", "out.ctf"],
             ["-r", "out.json"]]
ARCHIVE = ["-o", "out.archive", "--to=otf2"]


class Failed(Exception):
    pass


class Forbidden(Exception):
    pass


def command(*words):
    result = subprocess.run(words, capture_output=True, text=True)
    if result.returncode != 0:
        raise Forbidden(f"{words[0]}: {result.stderr.strip()}")


class Images:
    def __init__(self, cellsync, library, data, tmp):
        self.cellsync, self.library, self.data, self.tmp = cellsync, library, data, tmp
        self.mounted = tmp / "mounted"
        self.mounted.mkdir()

    def scenarios(self):
        done = subprocess.run([self.cellsync, self.data / "otf2/traces.otf2"], capture_output=True)
        return SCENARIOS + [ARCHIVE] * (b"without OTF2" not in done.stderr)

    def mount(self, image):
        command("mount", "-o", "loop", image, self.mounted)

    def unmount(self):
        command("umount", self.mounted)

    def write(self, trace, arguments, fault=None):
        environment = {**os.environ, "LC_ALL": "C"}
        if fault:
            environment |= {"LD_PRELOAD": str(self.library), "CELLSYNC_FAULT": fault}
        of = [self.data / f"samples/{trace}.pex"]
        if arguments == ARCHIVE:  # two runs differ by their options
            of = [self.data / "otf2/traces.otf2"] + ["--alpha=1/3"] * (trace == "switches")
        return subprocess.Popen([self.cellsync, "-q", "--threads=1", *of, *arguments],
                                cwd=self.mounted, env=environment, stderr=subprocess.PIPE)

    def output(self):
        """What stands under the names of an output: of a .pex with its records, of which others may stay until the next run."""
        found = {str(p.relative_to(self.mounted)): p.read_bytes() for p in sorted(self.mounted.rglob("*"))
                 if p.is_file() and str(p.relative_to(self.mounted)).startswith("out.")}
        pex = found.get("out.pex")
        if pex is None:
            return {k: v for k, v in found.items() if not re.match(r"out\.[0-9a-f]{8}\.trace", k)}
        href = re.search(rb' href="([^"]*)"', pex.partition(b"\0")[0])
        return {k: v for k, v in found.items() if k == "out.pex" or (href and k == href[1].decode())} | (
            {href[1].decode(): found.get(href[1].decode())} if href else {})

    def copies(self, image, arguments):
        """A run, stopped before each call that changes something; the image then, and in the end."""
        made = []
        self.mount(image)
        process = self.write("stragglers", arguments, "turn:0")
        while True:
            made.append(self.tmp / f"copy{len(made)}")
            state = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WSTOPPED | os.WNOWAIT)
            command("cp", "--sparse=always", image, made[-1])
            if state.si_code != os.CLD_STOPPED:
                break
            os.waitid(os.P_PID, process.pid, os.WSTOPPED)
            process.send_signal(signal.SIGCONT)
        error = process.communicate()[1]
        new = self.output()
        self.unmount()
        if process.returncode != 0:
            raise Failed(f"{arguments}: exit status {process.returncode}: {error.decode()}")
        return made, new

    def try_images(self, arguments, replace):
        image = self.tmp / "image"
        image.unlink(missing_ok=True)
        with open(image, "wb") as file:
            file.truncate(IMAGE_BYTES)
        command("mkfs.ext4", "-q", "-F", image)
        self.mount(image)
        old = {}
        if replace:
            if self.write("switches", arguments).wait() != 0:
                raise Failed(f"{arguments}: the first run")
            old = self.output()
        self.unmount()
        copies, new = self.copies(image, arguments)
        states = []
        for n, copy in enumerate(copies):
            self.mount(copy)
            found = self.output()
            left = [p.name for p in self.mounted.iterdir() if p.name.startswith(".")]
            self.unmount()
            if found not in (old, new):
                raise Failed(f"{arguments}: power lost before call {n + 1} of {len(copies)}: {sorted(found)}, {left}")
            states.append(found == new)
            copy.unlink()
        if states != sorted(states) or not states[-1] or states[0]:
            raise Failed(f"{arguments}: {states}")
        return len(copies)


def try_order(cellsync, data, tmp, arguments):
    """By strace: the calls, each with the file it is about."""
    log = tmp / "log"
    trace = data / ("otf2/traces.otf2" if arguments == ARCHIVE else "samples/stragglers.pex")
    result = subprocess.run(["strace", "-f", "-y", "-o", log, "-e", "trace=fsync,linkat,rename,renameat2", cellsync, "-q",
                             trace, *arguments], cwd=tmp, capture_output=True, text=True)
    if result.returncode != 0:
        raise Forbidden(f"strace: {result.stderr.strip()[-200:]}")
    calls = re.findall(r"(fsync|linkat|rename\w*)\(.*", log.read_text())
    lines = [line for line in log.read_text().splitlines() if re.search(r"(fsync|linkat|rename\w*)\(", line)]
    final = [n for n, line in enumerate(lines) if re.search(r'rename\w*\(.*"(\./)?out\.[^"]*"', line)]
    if not final or calls[-1] != "fsync" or "fsync" not in calls[:final[0]]:
        raise Failed(f"{arguments}: {lines}")
    for before, after in zip(final, final[1:]):
        if "fsync" not in calls[before + 1:after]:
            raise Failed(f"{arguments}: nothing is synced between the names: {lines}")
    return len(lines)


def main():
    cellsync, library, data = (pathlib.Path(p).resolve() for p in sys.argv[1:4])
    total = 0
    with tempfile.TemporaryDirectory() as tmp:
        images = Images(cellsync, library, data, pathlib.Path(tmp))
        try:
            for arguments in images.scenarios():
                for replace in (False, True):
                    total += images.try_images(arguments, replace)
            print(f"{total} images, and in each the old output or the new one")
            return 0
        except Failed as failure:
            print("FAILED:", failure)
            return 1
        except (Forbidden, FileNotFoundError) as reason:
            print(f"no images: {reason}")
        finally:
            subprocess.run(["umount", "-q", images.mounted], capture_output=True)
        try:
            for arguments in images.scenarios():
                for name in ("out.ctf", "out.archive"):
                    shutil.rmtree(images.tmp / name, ignore_errors=True)
                total += try_order(cellsync, data, images.tmp, arguments)
            print(f"{total} calls in the right order")
            return 0
        except Failed as failure:
            print("FAILED:", failure)
            return 1
        except (Forbidden, FileNotFoundError) as reason:
            print(f"no order of calls: {reason}")
            return SKIP


sys.exit(main())
