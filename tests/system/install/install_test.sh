#!/bin/sh
# Installs a build into a temporary prefix and uses it as its user would: every file stands where
# it belongs and nothing else does, the program runs, bash completes its options, and a program
# outside the tree compiles, links (shared and static) and runs by what pkg-config says, and by what CMake finds.
#
#   install_test.sh BUILD_DIR     CC and PKG_CONFIG name other tools than cc and pkg-config
set -eu

if [ $# -ne 1 ] || [ ! -f "$1/CMakeCache.txt" ]; then
    echo 'usage: install_test.sh BUILD_DIR' >&2
    exit 2
fi
build=$1
here=$(cd -- "$(dirname -- "$0")" && pwd)
cc=${CC:-cc}
pkg_config=${PKG_CONFIG:-pkg-config}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
# A relocatable cellsync.pc says its real folder: compare like with like.
tmp=$(cd "$tmp" && pwd -P)
prefix=$tmp/prefix
unset DESTDIR
failures=0

bad()
{
    printf 'FAIL: %s\n' "$*"
    failures=$((failures + 1))
}

# one PATTERN: exactly one file in the prefix matches the extended regular expression, whole.
one()
{
    found=$(grep -cxE "$1" "$tmp/files") || :
    [ "$found" -eq 1 ] || bad "$found files called $1, want 1"
}

# some PATTERN: one file or more do.
some()
{
    grep -qxE "$1" "$tmp/files" || bad "no file called $1"
}

# --- Files -------------------------------------------------------------------------------------

cmake --install "$build" --prefix "$prefix" >"$tmp/install.log" || {
    cat "$tmp/install.log"
    exit 1
}
(cd "$prefix" && find . ! -type d | sed 's,^\./,,' | LC_ALL=C sort) >"$tmp/files"

lib='lib[^/]*(/[^/]+-linux-[^/]+)?'
one 'bin/cellsync'
one 'bin/cellstat'
one 'bin/pdtsim'
one "$lib/libcellsync\\.a"
one 'bin/celltrace'
one "$lib/libcelltrace\\.a"
one "$lib/libcelltrace\\.so"
one "$lib/libcelltrace\\.so\\.[0-9]+"
one "$lib/pkgconfig/celltrace\\.pc"
one 'include/cellsync/celltrace\.h'
one "$lib/libcellsync\\.so"
one "$lib/libcellsync\\.so\\.0\\.[0-9]+"
one "$lib/pkgconfig/cellsync\\.pc"
one "$lib/cmake/cellsync/cellsyncConfig\\.cmake"
one "$lib/cmake/cellsync/cellsyncConfigVersion\\.cmake"
one 'include/cellsync/cellsync\.h'
one 'include/cellsync/analysis\.h'
one 'share/bash-completion/completions/cellsync'
one 'share/bash-completion/completions/cellstat'
one 'share/bash-completion/completions/pdtsim'
one 'share/zsh/site-functions/_cellsync'
one 'share/zsh/site-functions/_cellstat'
one 'share/zsh/site-functions/_pdtsim'
one 'share/fish/vendor_completions\.d/cellsync\.fish'
one 'share/fish/vendor_completions\.d/cellstat\.fish'
one 'share/fish/vendor_completions\.d/pdtsim\.fish'
one 'share/man/man1/cellsync\.1'
one 'share/man/man1/cellstat\.1'
one 'share/man/man1/pdtsim\.1'
some 'share/man/man3/[^/]+\.3'
some 'share/man/man5/[^/]+\.5'
some 'share/man/man7/[^/]+\.7'
strays=$(grep -vxE -e 'bin/(cellstat|cellsync|celltrace|pdtsim)' -e "$lib/libcell(sync|trace)\\.(a|so(\\.[0-9]+)*)" \
    -e "$lib/pkgconfig/cell(sync|trace)\\.pc" -e "$lib/cmake/cellsync/cellsyncConfig(Version)?\\.cmake" -e 'include/cellsync/(analysis|cellsync|celltrace(_off)?)\.h' \
    -e "$lib/celltrace/libcelltrace-(mpich|openmpi)\\.so" \
    -e 'share/bash-completion/completions/(cellstat|cellsync|celltrace|pdtsim)' -e 'share/man/man([1357])/[^/]+\.\1' \
    -e 'share/zsh/site-functions/_(cellstat|cellsync|celltrace|pdtsim)' \
    -e 'share/fish/vendor_completions\.d/(cellstat|cellsync|celltrace|pdtsim)\.fish' -e 'share/doc/cellsync/.+' "$tmp/files") || :
[ -z "$strays" ] || bad "files that do not belong there: $strays"
[ "$failures" -eq 0 ] || {
    echo 'installed:'
    cat "$tmp/files"
    exit 1
}

# What the pages link to is installed, where they say.
doc=$prefix/share/doc/cellsync
for page in "$doc"/*.md; do
    grep -o '](\([^)#]*\))' "$page" | sed 's/^](//; s/)$//' | grep -v '^https*:' >"$tmp/links" || :
    while IFS= read -r link; do
        [ -e "$doc/$link" ] || bad "${page##*/} links to $link, which is not installed"
    done <"$tmp/links"
done
grep -q '](tutorial\.md)' "$doc/README.md" || bad 'README.md does not link to the tutorial'
! grep -n 'doc/' "$doc/README.md" || bad 'README.md names files in doc'

# What goes into Debian packages, one a component, is all of it.
for component in programs library development celltrace celltrace_mpich celltrace_openmpi; do
    cmake --install "$build" --prefix "$tmp/parts" --component "$component" >>"$tmp/install.log"
done
(cd "$tmp/parts" && find . ! -type d | sed 's,^\./,,' | LC_ALL=C sort) | diff "$tmp/files" - || bad 'files of no component'

libdir=$(dirname "$(find "$prefix" -name libcellsync.a)")
foreign=$(nm -D --defined-only "$libdir/libcelltrace.so" | awk '$2 != "A" && $3 !~ /^(ct_|__cyg_profile_func_|__sanitizer_cov_trace_pc|GOMP_|ompt_start_tool$|pthread_|sem_|_[eE]xit$|daemon$)/ { print $3 }')
[ -z "$foreign" ] || bad "the recorder exports more than ct_ symbols: $foreign"
foreign=$(nm --defined-only --extern-only "$libdir/libcelltrace.a" | awk 'NF == 3 && $3 !~ /^(ct_|__cyg_profile_func_|__sanitizer_cov_trace_pc)/ { print $3 }')
[ -z "$foreign" ] || bad "the static recorder has global names that are not ct_: $foreign"
soname=$(readelf -d "$libdir/libcellsync.so" | sed -n 's/.*(SONAME).*\[\(.*\)\]/\1/p')
[ -e "$libdir/${soname:-(none)}" ] || bad "soname '$soname' is no file in $libdir"
foreign=$(nm -D --defined-only "$libdir/libcellsync.so" | awk '$2 != "A" && $3 !~ /^csy_/ { print $3 }')
[ -z "$foreign" ] || bad "the shared library exports more than csy_ symbols: $foreign"
unversioned=$(nm -D --defined-only --with-symbol-versions "$libdir/libcellsync.so" |
    awk '$3 ~ /^csy_/ && $3 !~ /@@CELLSYNC_/ { print $3 }')
[ -z "$unversioned" ] || bad "symbols of the shared library without a version: $unversioned"
# A program may have names of its own that the library uses inside.
foreign=$(nm --defined-only --extern-only "$libdir/libcellsync.a" | awk 'NF == 3 && $3 !~ /^csy_/ { print $3 }')
[ -z "$foreign" ] || bad "the static library has global names that are not csy_: $foreign"

# --- Program and completion --------------------------------------------------------------------

cat >"$tmp/paper.csv" <<'CSV'
thread,time
T1,0
T2,0
T3,3
T1,10
T1,16
T3,10
T2,10
CSV
printf 'T1 0\nT2 8\nT3 6\n' >"$tmp/expected"

(cd / && "$prefix/bin/cellsync" "$tmp/paper.csv") >"$tmp/report" 2>&1 || {
    bad 'the installed program fails on paper.csv'
    cat "$tmp/report"
}
"$prefix/bin/cellsync" --help-all >"$tmp/help" || bad 'cellsync --help-all fails'
bash "$here/completion_test.bash" \
    "$prefix/share/bash-completion/completions/cellsync" "$tmp/help" || bad 'bash completion'
if command -v zsh >/dev/null; then
    zsh -f "$here/completion_test.zsh" cellsync \
        "$prefix/share/zsh/site-functions/_cellsync" "$tmp/help" || bad 'zsh completion'
else
    echo 'there is no zsh here: its completion is only compared, by man_test.sh'
fi
if command -v fish >/dev/null; then
    fish --no-config "$here/completion_test.fish" "$prefix/share/fish/vendor_completions.d" "$tmp/help" || bad 'fish completion'
else
    echo 'there is no fish here: its completion is only compared, by man_test.sh'
fi
"$prefix/bin/pdtsim" --help >"$tmp/help" || bad 'pdtsim --help fails'
bash "$here/pdtsim_completion_test.bash" \
    "$prefix/share/bash-completion/completions/pdtsim" "$tmp/help" || bad 'bash completion of pdtsim'
if command -v zsh >/dev/null; then
    zsh -f "$here/completion_test.zsh" pdtsim \
        "$prefix/share/zsh/site-functions/_pdtsim" "$tmp/help" || bad 'zsh completion of pdtsim'
fi

# The recorder: as installed, preloaded, and linked into a program that records what the manual shows.
sed -n '/^#include/,/^\.Ed/p' "$here/../../../man/libcelltrace.3" | sed '$d' >"$tmp/record.c"
export PKG_CONFIG_PATH="$libdir/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
for way in shared static; do
    library=$libdir/libcelltrace.a
    [ "$way" = static ] || library=$("$pkg_config" --libs celltrace)
    # shellcheck disable=SC2046,SC2086 # words
    "$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror "$tmp/record.c" -o "$tmp/record" \
        $("$pkg_config" --cflags celltrace) $library -pthread || bad "the recorder does not link, $way"
    if [ "$way" = static ]; then
        CELLTRACE="run=$tmp/run.$way" "$tmp/record" || bad "a program that records fails, $way"
    else
        LD_LIBRARY_PATH=$libdir "$prefix/bin/celltrace" -o "$tmp/run.$way" "$tmp/record" ||
            bad "a program that records fails, $way"
    fi
    rm -f "$tmp/record.csv"
    "$prefix/bin/cellsync" -q "$tmp/run.$way"/*.pex -o "$tmp/record.csv" ||
        bad "what was recorded cannot be read, $way"
    [ "$(grep -c ',WORK,' "$tmp/record.csv")" -eq 10 ] || bad "10 events are not there, $way"
done

# --- Library -----------------------------------------------------------------------------------

export PKG_CONFIG_PATH="$libdir/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"

version=$("$pkg_config" --modversion cellsync)
header=$(sed -n 's/^#define CSY_VERSION "\(.*\)"$/\1/p' "$prefix/include/cellsync/cellsync.h")
[ "$version" = "$header" ] || bad "cellsync.pc is version '$version', the header '$header'"

# consumer NAME PKG_CONFIG_OPTION...: compile, link and run consumer.c as $tmp/NAME.
consumer()
{
    name=$1
    shift
    flags=$("$pkg_config" "$@" --cflags --libs cellsync) || {
        bad "$name: pkg-config"
        return
    }
    # shellcheck disable=SC2086 # words
    (cd "$tmp" && "$cc" -std=c11 -Wall -Wextra -Wpedantic -Werror "$here/consumer.c" \
        -o "$name" $flags) || {
        bad "$name: does not build with: $flags"
        return
    }
    same_answer "$name"
}

# needed PROGRAM: the shared libraries that it names.
needed()
{
    readelf -d "$tmp/$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'
}

# cmake_consumers COMPONENTS: build what consumer/CMakeLists.txt has, by find_package alone.
cmake_consumers()
{
    { cmake -S "$here/consumer" -B "$tmp/cmake" -D CMAKE_C_COMPILER="$cc" -D CMAKE_BUILD_TYPE=Release \
        -D CMAKE_PREFIX_PATH="$prefix" -D COMPONENTS="$1" &&
        cmake --build "$tmp/cmake" && cp "$tmp"/cmake/cmake_* "$tmp"; } >"$tmp/cmake.log" 2>&1 || {
        bad "find_package(cellsync COMPONENTS $1)"
        cat "$tmp/cmake.log"
    }
}

# same_answer PROGRAM: it runs, and gives the answer that all consumers give.
same_answer()
{
    (cd "$tmp" && LD_LIBRARY_PATH=$libdir "./$1" paper.csv) >"$tmp/$1.out" || bad "$1: exit $?"
    diff "$tmp/expected" "$tmp/$1.out" || bad "$1: wrong answer"
}

consumer shared
case $("$pkg_config" --libs cellsync) in
    *xml2* | *-lz*) bad 'pkg-config --libs names libraries that only a static link needs' ;;
esac
needed shared | grep -qxF "$soname" || bad "shared: is not linked against $soname"

cmake_consumers 'shared;static'
for program in cmake_cellsync cmake_shared cmake_static; do
    same_answer "$program"
done
needed cmake_shared | grep -qxF "$soname" || bad "cmake_shared: is not linked against $soname"
! needed cmake_static | grep -qF libcellsync || bad 'cmake_static: wants the shared library'
! needed cmake_cellsync | grep -qF libcellsync || bad 'cmake_cellsync: wants the shared library, though static was asked for'
cmake_consumers ''
needed cmake_cellsync | grep -qxF "$soname" || bad "cmake_cellsync: is not linked against $soname"

# What may get new members has no size that a program could depend on.
objects=$(sed -nE 's/^typedef struct (csy_[a-z]+) csy_[a-z]+;$/\1/p' "$prefix/include/cellsync/cellsync.h")
for object in $objects; do
    printf '#include <cellsync/cellsync.h>\nint n = (int)sizeof(%s);\n' "$object" >"$tmp/size.c"
    # shellcheck disable=SC2046 # words
    ! "$cc" -std=c11 -fsyntax-only $("$pkg_config" --cflags cellsync) "$tmp/size.c" 2>"$tmp/said" ||
        bad "$object: its size is told"
    grep -q 'incomplete type' "$tmp/said" || bad "$object: $(cat "$tmp/said")"
done
printf '%s\n' "$objects" | grep -qx csy_options || bad "csy_options is not opaque: $objects"

# Where there is only the archive, -lcellsync takes it.
rm "$libdir"/libcellsync.so*
cmake_consumers ''
same_answer cmake_cellsync
! needed cmake_cellsync | grep -qF libcellsync || bad 'cmake_cellsync: wants the shared library, where there is none'
consumer static --static
! needed static | grep -qF libcellsync || bad 'static: wants the shared library'

[ "$failures" -eq 0 ]
