#!/usr/bin/env python3
"""The Python module: it is what the headers say, pip installs it from the tree without a network, and there it passes
module_test.py, without numpy and with it, and runs the examples.  Its modules import each other in one direction.

Usage: python_test.py SOURCE_FOLDER LIBRARY CELLSTAT     LIBRARY: libcellsync.so.0.2, as built
"""
import ast
import graphlib
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLE = """828 records of 13 clocks, good to +-0 ticks
spe2.1 to spe5.1: 35 ticks, 2.44 us
spe2.1 to spe5.2: 35 ticks, 2.44 us
spe1.1 to spe5.1: 35 ticks, 2.44 us
spe2.1: 31 MUTEX_LOCK, 31 MUTEX_UNLOCK
on average 1.838 of 4 units were active, at least 1.833, at most 1.842
"""


PROGRAM = """julia.pex: ranges are proven; if every timestamp is exact to the tick; if not, pass --delta
0 active for 60093 to 60093 ticks
1 active for 1067 to 1073 ticks
16 active for 148088 to 148222 ticks
subdivide: 7168 calls, 2490702 ticks; elapsed 160234 to 160234
spu_main: 16 calls, 416128 ticks; elapsed 63800 to 63934
run_round: 1 calls, 160589 ticks; elapsed 160589 to 160589
48 of mailbox for 563947 ticks; 1040 of dma for 6294 ticks; 16 of task for 2989238 ticks
spe9 to tid4711: 1 by mailbox; spe8 to tid4711: 1 by mailbox; spe7 to tid4711: 1 by mailbox
"""


def one_way(folder):
    """No module imports one that imports it, for its types neither; CycleError names those that do."""
    names = {path.stem for path in folder.glob("*.py")}
    imports = {}
    for path in folder.glob("*.py"):
        found = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ImportFrom) and node.level == 1]
        imports[path.stem] = {name for node in found for name in ([node.module] if node.module else
                                                                  [alias.name for alias in node.names])} & names
    assert len(imports) > 5 and imports["solution"], imports
    tuple(graphlib.TopologicalSorter(imports).static_order())


def run(*command, **more):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if done.returncode:
        print(done.stdout)
        sys.exit(f"FAIL: {' '.join(map(str, command))}: exit {done.returncode}")
    return done.stdout


def with_module(python, module):
    return subprocess.run([python, "-c", f"import {module}"], stderr=subprocess.DEVNULL).returncode == 0


def main(top, library, cellstat):
    top, library = pathlib.Path(top).resolve(), pathlib.Path(library).resolve()
    one_way(top / "python/cellsync")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "PYTHON"))}
    print(run(sys.executable, HERE / "headers.py", top, env={**clean, "CELLSYNC_LIBRARY": str(library)}), end="")
    pythons = [p for p in (sys.executable, shutil.which("python3"), "/usr/bin/python3")
               if p and os.path.exists(p) and with_module(p, "venv, pip")]
    if not pythons:
        print("SKIPPED: there is no pip here: nothing was installed")
        return 77
    # The one that has numpy, if there is one.
    python = next((p for p in pythons if with_module(p, "numpy")), pythons[0])
    with tempfile.TemporaryDirectory() as folder:
        run(python, "-m", "venv", "--without-pip", "--system-site-packages", folder)
        inside = pathlib.Path(folder) / "bin/python"
        run(python, "-m", "pip", "--python", inside, "install", "--no-build-isolation", "--no-index", "--quiet",
            "--disable-pip-version-check", "--no-compile", f"--config-settings=library={library}", top, env=clean, cwd=folder)
        where = run(inside, "-c", "import cellsync; print(cellsync.__file__)", env=clean, cwd=folder)
        if not where.startswith(folder):
            sys.exit(f"FAIL: it is not what was installed: {where}")
        print(run(inside, HERE / "module_test.py", top, cellstat, "no", env=clean), end="")
        if with_module(inside, "numpy"):
            print(run(inside, HERE / "module_test.py", top, cellstat, "yes", env=clean), end="")
        else:
            print("SKIPPED: numpy is not installed: tables were tried as lists alone")
        said = run(inside, top / "doc/examples/widest.py", top / "testdata/demo.pex", env=clean)
        if said != EXAMPLE:
            sys.exit(f"FAIL: doc/examples/widest.py prints\n{said}")
        trace = pathlib.Path(folder) / "julia.pex"
        run(pathlib.Path(cellstat).with_name("pdtsim"), "--workload=juliaset", "--calls", "--events=2000", "-o", trace)
        said = run(inside, top / "doc/examples/program.py", trace.name, env=clean, cwd=folder)
        if said != PROGRAM:
            sys.exit(f"FAIL: doc/examples/program.py prints\n{said}")
        run(python, "-m", "pip", "--python", inside, "uninstall", "--quiet", "--yes", "cellsync", env=clean)
        if with_module(inside, "cellsync"):
            sys.exit("FAIL: it is still there")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
