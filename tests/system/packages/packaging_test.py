#!/usr/bin/env python3
"""The recipes in packaging/ have the version of cellsync, and the dependencies that cmake/dependencies.cmake finds.

Usage: packaging_test.py SOURCE_FOLDER

Spack's recipe is run with functions that note what it declares.  conda's recipe is rendered by Jinja and read as YAML
where Python has both; otherwise its lines are compared.
"""
import pathlib
import re
import sys
import types

# By the name in CMake: Debian's packages to compile and to run with, Spack's, and conda's; None: the recipe switches it off.
NAMES = {"LibXml2": ("libxml2-dev", "libxml2", "libxml2", "libxml2"),
         "ZLIB": ("zlib1g-dev", "zlib1g", "zlib-api", "zlib"),
         "isal": ("libisal-dev", "libisal2", "isa-l", "isa-l"),
         "otf2": ("libopen-trace-format2-dev", "libopen-trace-format2-10", "otf2", None),
         "yajl": ("libyajl-dev", "libyajl2", "yajl", "yajl")}
TOOLS = {"gcc", "libc6-dev", "make", "cmake", "pkg-config"}
SUMMARY = "Offline clock synchronization of event traces with exact error bounds"


def cmake(top):
    """What CMake wants: the dependencies, the option of each that is optional, and the least versions."""
    text = (top / "cmake/dependencies.cmake").read_text()
    options, least, last = {}, {}, None
    for line in re.sub(r"#.*", "", text).splitlines():
        if found := re.match(r"option\((CELLSYNC_\w+)", line):
            last = found[1]
        elif found := re.match(r"find_package\((\w+) REQUIRED\)", line):
            options[found[1]] = None
        elif found := re.match(r"find_library\(\w+_LIBRARY (\w+)\)", line):
            options[found[1]] = last
        elif found := re.search(r"pkg_check_modules\(\w+ IMPORTED_TARGET (\w+)>=([\d.]+)\)", line):
            options[found[1]], least[found[1]] = last, found[2]
    del options["Threads"]
    least["yajl"] = re.search(r'"Read JSON where yajl (\d+)', text)[1]
    least["cmake"] = re.search(r"cmake_minimum_required\(VERSION ([\d.]+)\)", (top / "CMakeLists.txt").read_text())[1]
    return options, least


def check_container(top, version, options):
    text = re.sub(r"\\\n", " ", (top / "packaging/Containerfile").read_text())
    build, run = [stage for stage in re.split(r"^FROM ", text, flags=re.M)[1:]]
    assert build.startswith("debian:bookworm-slim AS build\n") and run.startswith("debian:bookworm-slim\n"), text
    installed = [set(re.search(r"--no-install-recommends ([^&\n]*)", stage)[1].split()) for stage in (build, run)]
    assert installed[0] == TOOLS | {NAMES[name][0] for name in options}, installed[0]
    assert installed[1] == {NAMES[name][1] for name in options}, installed[1]
    assert f'image.version="{version}"' in run, run
    assert "CELLSYNC_" not in build
    words = [line.split()[0] for line in text.splitlines() if line and line[0] not in "# "]
    assert set(words) <= {"FROM", "RUN", "COPY", "LABEL", "USER", "WORKDIR", "ENTRYPOINT"}, words
    assert int(re.search(r"^USER (\d+):\d+$", run, re.M)[1]) > 0
    assert run.rstrip().endswith('ENTRYPOINT ["cellsync"]')


def check_spack(top, version, options, least):
    path = top / "packaging/spack/packages/cellsync/package.py"
    declared = {"version": [], "variant": [], "depends_on": [], "license": []}
    package = types.ModuleType("spack.package")
    for name, calls in declared.items():
        setattr(package, name, lambda *words, calls=calls, **more: calls.append((words[0], more)))
    package.CMakePackage = type("CMakePackage", (), {"define": lambda self, name, value: (name, value),
                                                     "define_from_variant": lambda self, name, variant: (name, variant)})
    sys.modules.update({"spack": types.ModuleType("spack"), "spack.package": package})
    scope = {}
    exec(compile(path.read_text(), path, "exec"), scope)
    assert scope["Cellsync"].__doc__ == SUMMARY + "."
    assert declared["license"] == [("MIT", {})]
    assert [words for words, more in declared["version"]] == [version] and f"cellsync@{version}" in path.read_text()
    wanted = {"c": None, f"cmake@{least['cmake']}:": None, "pkgconfig": None}
    arguments = {"BUILD_TESTING": False}
    for name, option in options.items():
        variant = option and {"CELLSYNC_IGZIP": "isal", "CELLSYNC_OTF2": "otf2", "CELLSYNC_YAJL": "yajl"}[option]
        wanted[NAMES[name][2] + (f"@{least[name]}:" if name in least else "")] = variant
        if option:
            arguments[option] = variant
    found = {words: re.sub(r"\+| target=.*", "", more["when"]) if "when" in more else None for words, more in declared["depends_on"]}
    assert found == wanted, (found, wanted)
    assert dict(scope["Cellsync"]().cmake_args()) == arguments
    assert {words for words, more in declared["variant"]} == set(arguments.values()) - {False}


def check_conda(top, version, options, least):
    text = (top / "packaging/conda/meta.yaml").read_text()
    host = {NAMES[name][3] + (f" >={least[name]}" if name in least else "") for name in options if NAMES[name][3]}
    lines = re.search(r"  host:\n((?:    - .*\n)*)", text)[1]
    assert set(re.findall(r"- ([^#\n]*\S) *(?:#.*)?\n", lines)) == host, (lines, host)
    assert f'{{% set version = "{version}" %}}' in text and f"cmake >={least['cmake']}\n" in text
    for name, option in options.items():
        assert (f"{option}=OFF" in text) == (NAMES[name][3] is None), name
    try:
        import jinja2
        import yaml
    except ImportError:
        return
    recipe = yaml.safe_load(jinja2.Template(text).render(compiler=lambda language: f"{language}_compiler"))
    assert recipe["package"] == {"name": "cellsync", "version": version}, recipe["package"]
    assert set(recipe["requirements"]["host"]) == host and "c_compiler" in recipe["requirements"]["build"]
    assert recipe["about"]["summary"] == SUMMARY and (top / recipe["about"]["license_file"]).exists()
    assert (top / "packaging/conda" / recipe["source"]["path"]).resolve() == top.resolve()


def main(top):
    top = pathlib.Path(top)
    version = re.search(r'CSY_VERSION "([\d.]+)"', (top / "include/cellsync/cellsync.h").read_text())[1]
    options, least = cmake(top)
    assert set(options) == set(NAMES), f"dependencies of CMake: {sorted(options)}, of the recipes: {sorted(NAMES)}"
    check_container(top, version, options)
    check_spack(top, version, options, least)
    check_conda(top, version, options, least)
    assert f"cellsync@{version}`" in (top / "README.md").read_text()
    for name in re.findall(r"packaging/[\w/]+", (top / "README.md").read_text()):
        assert (top / name).exists(), name
    print(f"3 recipes of cellsync {version} with {', '.join(options)}")


if __name__ == "__main__":
    main(sys.argv[1])
