#!/usr/bin/env python3
"""Seeds for the fuzz targets, out of the traces in testdata.

Usage: seeds.py CELLSYNC TESTDATA FOLDER.  Writes FOLDER/TARGET/NAME; those of the targets trace and options
have the bytes that choose options in front, those of synced are what cellsync writes.
"""
import pathlib
import re
import subprocess
import sys

OPTIONS = [bytes([0, 0, 0, 1, 0]), bytes([4, 0, 0, 200, 1]), bytes([1, 2, 3, 4, 2]), bytes([251, 2, 3, 4, 2])]
VIEWS = 7
QUESTIONS, ALONE = 9, 4  # of the target run: how many it has, and which file is a trace by itself
SYNCED = [[], ["--relax=paper"], ["--unwrap=strict"], ["--delta=15/2", "--alpha=1/3"]]
BYTES_MAX = 20000


def embedded(pex):
    """The document and its records in one, or as it stands where it names no file."""
    document = pex.read_bytes()
    href = re.search(rb'\s*href="([^"]*)"', document)
    records = pex.parent / href.group(1).decode("latin-1") if href else None
    if not records or not records.is_file():
        return document
    return document.replace(href.group(0), b"", 1) + b"\0" + records.read_bytes()


def synced(cellsync, pex):
    for options in SYNCED:
        command = [cellsync, "-q", "--embed", "-o", "-", *options, str(pex)]
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        if run.returncode == 0:
            yield run.stdout


def with_view(i, data, world=False):
    """The i-th way to look at a trace, now and then with its records apart; or at a world."""
    how = 1 if world else i // VIEWS % 2 * 2
    return OPTIONS[i % 3] + bytes([i % VIEWS, i % 256, [0, 5, 192][i % 3], how]) + data


def otf2_kind(path):
    """Which of the files of an OTF2 archive it is, as the target has them."""
    return {".evt": 2, ".otf2": 3}.get(path.suffix, int(path.stem.isdigit()))


def put(folder, target, name, data):
    path = folder / target / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if len(data) <= BYTES_MAX:
        path.write_bytes(data)


def alone(i, data):
    """The i-th question of a trace, as the target run has them."""
    return bytes([i % QUESTIONS, i * 29 % 256, i * 7 % 32, ALONE]) + len(data).to_bytes(2, "little") + data


def main(cellsync, testdata, folder):
    view = asked = 0
    for path in sorted(path for path in testdata.rglob("*") if path.is_file()):
        name = f"{path.parent.name}-{path.name}"
        data = path.read_bytes()
        if path.suffix == ".pex":
            put(folder, "metadata", name, data.split(b"\0")[0])
            whole = embedded(path)
            for i, options in enumerate(OPTIONS):
                put(folder, "trace", f"{name}-{i}", options + whole)
                put(folder, "options", f"{name}-{i}", with_view(view, whole))
                view += 1
            put(folder, "run", name, alone(asked, whole))
            asked += 1
            for i, output in enumerate(synced(cellsync, path)):
                put(folder, "synced", f"{name}-{i}", output)
                put(folder, "metadata", f"{name}-{i}", output.split(b"\0")[0])
        elif path.suffix == ".trace":
            put(folder, "gzip" if data[:2] == b"\x1f\x8b" else "records", name, data)
        elif path.suffix == ".gz":
            put(folder, "gzip", name, data)
        elif path.suffix in (".def", ".evt", ".otf2"):
            put(folder, "otf2_records", name, bytes([otf2_kind(path), 255]) + data)
        elif path.suffix == ".csv":
            put(folder, "csv", name, data)
            put(folder, "trace", name, OPTIONS[0] + data)
            put(folder, "options", name, with_view(view, data))
            put(folder, "run", name, alone(asked, data))
            view += 1
            asked += 1
    for n in range(2 * VIEWS):
        ramp = bytes((n * i * 7 + i) % 256 for i in range(100 + 50 * n))
        put(folder, "world", f"ramp-{n}", ramp)
        put(folder, "options", f"ramp-{n}", with_view(n, ramp, True))


if __name__ == "__main__":
    main(sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]))
