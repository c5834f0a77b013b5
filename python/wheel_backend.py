"""What pip asks to make a wheel of the tree (PEP 517), of the standard library alone: nothing is to be installed first.

    pip install .                                            compiles libcellsync by CMake, in build/python
    pip install --config-settings library=build/release/libcellsync.so .    takes one that is built already
    pip install --config-settings library=system .                          takes none: the module will load the system's
"""
from __future__ import annotations

import base64
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sysconfig
import tempfile
import zipfile
from typing import Optional

TOP = pathlib.Path(__file__).resolve().parent.parent
SUMMARY = re.search(r'^description = "(.*)"$', (TOP / "pyproject.toml").read_text(), re.MULTILINE).group(1)
VERSION = re.search(r'CSY_VERSION "([0-9.]+)"', (TOP / "include/cellsync/cellsync.h").read_text()).group(1)
SONAME = "libcellsync.so." + ".".join(VERSION.split(".")[:2])
INFO = f"cellsync-{VERSION}.dist-info"


def _compile() -> pathlib.Path:
    """Build the shared library."""
    folder = TOP / "build" / "python"
    for command in (["cmake", "-S", str(TOP), "-B", str(folder), "-D", "CMAKE_BUILD_TYPE=Release", "-D",
                     "BUILD_TESTING=OFF"],
                    ["cmake", "--build", str(folder), "--target", "cellsync_shared", "-j", str(os.cpu_count() or 1)]):
        subprocess.run(command, check=True)
    return folder / SONAME


def _metadata() -> str:
    return (f"Metadata-Version: 2.1\nName: cellsync\nVersion: {VERSION}\nSummary: {SUMMARY}\nLicense: MIT\n"
            "Requires-Python: >=3.9\nDescription-Content-Type: text/markdown\n\n" + (TOP / "doc/python.md").read_text())


def get_requires_for_build_wheel(config_settings: Optional[dict] = None) -> list[str]:
    """Nothing."""
    return []


def prepare_metadata_for_build_wheel(metadata_directory: str, config_settings: Optional[dict] = None) -> str:
    """What pip wants to know before it builds."""
    folder = pathlib.Path(metadata_directory) / INFO
    folder.mkdir()
    (folder / "METADATA").write_text(_metadata())
    return INFO


def build_wheel(wheel_directory: str, config_settings: Optional[dict] = None,
                metadata_directory: Optional[str] = None) -> str:
    """Make the wheel; its name."""
    library = (config_settings or {}).get("library")
    files = {f"cellsync/{path.name}": path.read_bytes() for path in sorted((TOP / "python/cellsync").iterdir())
             if path.suffix == ".py" or path.name == "py.typed"}
    if library != "system":
        built = TOP / library if library else _compile()  # an absolute path stays one
        files[f"cellsync/{SONAME}"] = _stripped(built)
    tag = "py3-none-any" if library == "system" else "py3-none-" + re.sub(r"[-.]", "_", sysconfig.get_platform())
    files[f"{INFO}/METADATA"] = _metadata().encode()
    files[f"{INFO}/LICENSE"] = (TOP / "LICENSE").read_bytes()
    pure = "true" if library == "system" else "false"
    files[f"{INFO}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: cellsync\nRoot-Is-Purelib: {pure}\nTag: {tag}\n".encode()
    record = f"{INFO}/RECORD"
    files[record] = "".join([f"{name},sha256={_digest(data)},{len(data)}\n" for name, data in files.items()] +
                            [f"{record},,\n"]).encode()
    name = f"cellsync-{VERSION}-{tag}.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files.items():
            wheel.writestr(zipfile.ZipInfo(path), data, zipfile.ZIP_DEFLATED)  # the same bytes each time
    return name


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def _stripped(library: pathlib.Path) -> bytes:
    """Without what only debuggers read, where there is a tool for that."""
    if shutil.which("strip") is None:
        return library.read_bytes()
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / SONAME
        shutil.copyfile(library, copy)
        subprocess.run(["strip", "--strip-unneeded", str(copy)], check=True)
        return copy.read_bytes()
