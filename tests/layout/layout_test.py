#!/usr/bin/env python3
"""The house: a stage includes only its own room and those above it; cli and cellstat use only the public header and tool;
simulator, which must share nothing with what it tests, base, tool and its own room; recorder, which is linked into
programs of others, base and its own; tool, which serves all, its own.

Usage: layout_test.py SOURCE_FOLDER BUILD_FOLDER.  Also: every C file is built, and none is longer than a room or wider
than a page.
"""
import json
import pathlib
import re
import sys

# Folders from which files are included by their paths; "": the top.
ROOTS = ("lib", "stat", "")
PARTS = ("lib", "stat", "recorder", "simulator")
ROOMS = ["base", "io", "trace", "clock", "order", "graph", "bounds", "fast", "sync", "check", "diagnosis", "advice", "meaning",
         "instants", "analysis", "output"]
PROGRAMS = {"recorder", "cli", "simulator", "cellstat"}
# Folders within a room, in order, where "" is the room's own files; and folders that do not include one another.
WITHIN = {
    "analysis": ["run", "ranges", "window", "activity", "calls", "messages", "waits", ""],
    "recorder": ["", "hooks", "mpi", "launcher"],
    "output": ["file", "encode", "trace", "page", "report"],
    "sync": ["reread", "", "methods", "partial", "drift", "line", "pipeline"],
}
APART = {
    "analysis": {"activity", "calls", "messages", "waits"},
    "recorder": {"hooks", "launcher", "mpi"},
    "trace": {"csv", "otf2", "pex"},
}
# What the quick way shows, and to which room: nothing else knows of it.
QUICK = {"fast/fast.h", "fast/taken.h"}
# Files that some configurations do not build.
OPTIONAL = re.compile(r"^(base/wide\.c|recorder/.*|trace/otf2/.*|output/trace/(trace_)?otf2.*|trace/json/.*|output/trace/(json_absent|trace_edited)\.c)$")
INLINE = ["base/near.h", "base/ascii.h"]
LINES_MAX = 1200
COLUMNS_MAX = 100


def named(top, path):
    """The path as others include it."""
    part, *_ = path.relative_to(top).parts
    return path.relative_to(top / part if part in ROOTS else top)


def includes(path):
    return re.findall(r'^#include [<"]([^>"]+)[>"]', path.read_text(), re.MULTILINE)


def room_faults(top, path):
    room, *folders = named(top, path).parts[:-1]
    for name in includes(path):
        target = name.split("/")[0] if "/" in name else None
        if room in ("cli", "cellstat"):
            if target in ROOMS or target in PROGRAMS - {room}:
                yield f"{path}: {room} includes {name}, want only the public header and tool"
        elif room == "simulator":
            if target in ROOMS and target != "base" or target in PROGRAMS - {room}:
                yield f"{path}: simulator includes {name}, want base, tool and its own room"
        elif room == "recorder":
            if target in ROOMS and target != "base" or target in PROGRAMS - {room} or (
                    target == "tool" and folders != ["launcher"]):
                yield f"{path}: recorder includes {name}, want base and its own room, and tool in the launcher"
        elif room == "tool":
            if target in ROOMS and name not in INLINE or target in PROGRAMS:
                yield f"{path}: tool includes {name}, want only the public header, and of base what is all inline"
        elif target in PROGRAMS | {"tool"} or (target in ROOMS and ROOMS.index(target) > ROOMS.index(room)):
            yield f"{path}: {room} includes {name}, which stands below it"
        elif target == "fast" and room != "fast" and (room != "sync" or name not in QUICK):
            yield f"{path}: includes {name}, but only sync goes the quick way, by fast/fast.h"
        elif room in ("graph", "bounds") and name == "order/line.h":
            yield f"{path}: an engine takes what an order says (order/sink.h), not that of one buffer"


def folder_faults(top, path):
    """Folders within a room have an order, too, or do not include one another."""
    room, folder, *_ = *named(top, path).parts[:-1], ""
    order = WITHIN.get(room, [])
    if order and folder not in order:
        yield f"{path}: {room} has no folder {folder or 'of its own files'}"
        return
    for name in includes(path):
        target, inner, *_ = *name.split("/")[:-1], "", ""
        if target != room:
            continue
        if inner in order and order.index(inner) > order.index(folder):
            yield f"{path}: {room}/{folder} includes {name}, which stands below it"
        if {folder, inner} <= APART.get(room, set()) and folder != inner:
            yield f"{path}: {room}/{folder} includes {name}, of another folder"


def circle_faults(top, files):
    """No file includes itself by way of others, where a .c counts with its .h."""
    graph = {}
    for path in files:
        name = str(named(top, path).with_suffix(""))
        found = {other.rsplit(".", 1)[0] for other in includes(path) if any((top / root / other).exists() for root in ROOTS)}
        graph.setdefault(name, set()).update(found - {name})

    def reached(start):
        seen, rest = set(), [start]
        while rest:
            new = graph.get(rest.pop(), set()) - seen  # tables, such as *.def, include nothing
            seen |= new
            rest += new
        return seen

    reach = {name: reached(name) for name in graph}
    circles = {tuple(sorted(b for b in reach[a] if a in reach[b])) for a in graph if a in reach[a]}
    for circle in sorted(circles):
        yield f"a circle of includes: {', '.join(circle)}"


# The files that visit a partial order in order. Another one should be a visitor of one of these.
WALK_USERS = {"order/walk.c", "sync/partial/arrows.c", "sync/partial/partial_steps.c", "sync/partial/walked.c",
              "sync/pipeline/partial.c"}


def walk_faults(top, files):
    users = {str(named(top, path)) for path in files if "order/walk.h" in includes(path)}
    for name in sorted(users ^ WALK_USERS):
        yield f"{name}: order/walk.h is included by other files than WALK_USERS lists"


# What answers otherwise in another locale than C, which is the calling program's to choose.
LOCAL = re.compile(r"\b(is(al(num|pha)|blank|cntrl|digit|graph|lower|print|punct|space|upper|xdigit)|to(lower|upper)|"
                   r"str(n?casecmp|coll|xfrm|tod|tof|told)|atof|setlocale|mbr?towc|wcr?tomb|nl_langinfo)\(")


def local_faults(path):
    """The library does not depend on LC_CTYPE, nor on LC_NUMERIC."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        found = LOCAL.search(line)
        if found:
            yield f"{path}:{number}: {found.group(1)} depends on the locale"
        if re.search(r'"[^"]*%[-+ #0-9.*]*[aefgAEFG][^"]*"', line.replace("%%", "")):
            yield f"{path}:{number}: a decimal point that depends on the locale"


# Which format a trace has, only the room that reads it asks.
FORMATS = re.compile(r"\bsource_(pex|csv|made)\b|source->format\b|trace->format\b|csy_trace_format\(")


def format_faults(path, room):
    """What others need to know of a format is a member of struct source."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if room != "trace" and FORMATS.search(line) and ".format = " not in line:
            yield f"{path}:{number}: asks which format the trace has"


def build_faults(top, build, files):
    """A folder that no CMake file names is not built."""
    listed = build / "compile_commands.json"
    if not listed.exists():
        yield f"{listed}: does not exist, so nobody knows what is built"
        return
    built = {pathlib.Path(entry["file"]).resolve() for entry in json.loads(listed.read_text())}
    for path in files:
        if path.suffix == ".c" and path.resolve() not in built and not OPTIONAL.match(str(named(top, path))):
            yield f"{path}: is not built"


def wide_lines(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if len(line) > COLUMNS_MAX:
            yield f"{path}:{number}: more than {COLUMNS_MAX} columns"


# Unit tests that look into rooms but are of no one file: of the library as a whole, and of the simulator's parts.
# reduce_stream tests the second half of graph/reduce.c.
WHOLE = {"api", "pdtsim", "reduce_stream", "salvage"}


def test_faults(top):
    """A unit test is called as the file that it tests, unless it is of the public interface; a test that runs programs
    as its own file, or its name begins so."""
    sources = {path.stem for part in PARTS for path in (top / part).rglob("*.[ch]")} | WHOLE
    for path in sorted((top / "tests" / "unit").glob("test_*.c")):
        inside = any("/" in name and not name.startswith(("cellsync/", "sys/")) for name in includes(path))
        if inside and path.stem.removeprefix("test_") not in sources:
            yield f"{path}: no file is called so"
    listed = (top / "tests" / "CMakeLists.txt").read_text()
    for name, room, file in re.findall(r"add_test\(NAME (\S+) COMMAND[^)]*?/(\w+)/(\w+)\.(?:py|sh)\b", listed):
        stem = room if file == "run" else file.removeprefix("test_").removesuffix("_test")
        if name != stem and not name.startswith(stem + "_"):
            yield f"{top}/tests/CMakeLists.txt: test {name} is in {room}/{file}, want a file of its name"


def main(top, build):
    files = sorted(path for part in PARTS for path in (top / part).rglob("*.[ch]"))
    faults = [fault for path in files for fault in room_faults(top, path)]
    faults += [fault for path in files for fault in folder_faults(top, path)]
    faults += circle_faults(top, files)
    faults += walk_faults(top, files)
    faults += [fault for path in files if named(top, path).parts[0] in ROOMS for fault in local_faults(path)]
    faults += [fault for path in files for fault in format_faults(path, named(top, path).parts[0])]
    faults += build_faults(top, build, files)
    faults += [f"{p}: more than {LINES_MAX} lines" for p in files if len(p.read_text().splitlines()) > LINES_MAX]
    faults += [f"{p}: no purpose on its first lines" for p in files if not p.read_text().startswith("/*")]
    pages = files + sorted(top.glob("include/**/*.h")) + sorted(top.glob("tests/**/*.[ch]"))
    faults += [fault for path in pages for fault in wide_lines(path)]
    faults += test_faults(top)
    print("\n".join(faults))
    print(f"{len(files)} files, {len(faults)} faults")
    return 1 if faults or not files else 0


if __name__ == "__main__":
    sys.exit(main(*map(pathlib.Path, sys.argv[1:3])))
