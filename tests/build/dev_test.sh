#!/bin/sh
# ./dev where there is no dpkg: what demo misses is named, as four systems call it, and nothing is built;
# test quick runs the quick tests and no others; test runs all of them in every build, and fails if lint does;
# release makes a tarball of what is committed, of one version.
#
#   dev_test.sh SOURCE_FOLDER
set -eu
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp/bin" "$tmp/source/tests/tools"
cp "$1/dev" "$tmp/source/dev"
cp "$1/tests/tools/tidy.py" "$tmp/source/tests/tools"
cp "$1/.clang-tidy" "$tmp/source"
# What lint remembers shall not outlast this.
unset XDG_CACHE_HOME
export HOME="$tmp/home"
for program in sh dirname readlink cat make cmake mkdir rm; do
    ln -s "$(command -v "$program")" "$tmp/bin/$program"
done
if PATH=$tmp/bin "$tmp/source/dev" demo >"$tmp/out" 2>"$tmp/err"; then
    echo 'FAIL: it succeeds'
    exit 1
fi
cat >"$tmp/want" <<'END'
dev: missing, and what it is called on
             Debian         Fedora              Alpine       Homebrew
cc           gcc,libc6-dev  gcc,glibc-devel     build-base   (xcode-select)
pkg-config   pkg-config     pkgconf-pkg-config  pkgconf      pkgconf
libxml-2.0   libxml2-dev    libxml2-devel       libxml2-dev  libxml2
zlib         zlib1g-dev     zlib-devel          zlib-dev     zlib
END
diff "$tmp/want" "$tmp/err"
[ ! -s "$tmp/out" ]
[ ! -e "$tmp/source/build" ]

# With all of that, it is built without tests.
for program in cc pkg-config; do
    printf '#!/bin/sh\n' >"$tmp/bin/$program"
    chmod +x "$tmp/bin/$program"
done
for program in ls nproc tail; do
    ln -s "$(command -v $program)" "$tmp/bin/$program"
done
rm "$tmp/bin/cmake"
printf '#!/bin/sh\nprintf "%%s\\n" "$*" >>%s/calls\n' "$tmp" >"$tmp/bin/cmake"
chmod +x "$tmp/bin/cmake"
mkdir -p "$tmp/source/build/release"
printf '#!/bin/sh\n>build/demo/demo.txt\n' >"$tmp/source/build/release/cellsync"
chmod +x "$tmp/source/build/release/cellsync"
PATH=$tmp/bin "$tmp/source/dev" demo >"$tmp/out"
grep -q 'BUILD_TESTING=OFF' "$tmp/calls"

# The quick tests: of the release build, with a part of their trials.
printf '#!/bin/sh\nprintf "%%s " "$CELLSYNC_TEST_ONE_IN" "$@" >%s/ctest\n' "$tmp" >"$tmp/bin/ctest"
chmod +x "$tmp/bin/ctest"
PATH=$tmp/bin "$tmp/source/dev" test quick >"$tmp/out"
grep -q '^10 --test-dir build/release .* -R ^(unit_\.\*|.*|cli|.*)\$ $' "$tmp/ctest"

# All of it: four builds, their tests, every C file looked at once, and valgrind.
for program in nice timeout find xargs awk grep head uname env sleep sed sort tr cut sha256sum; do
    ln -s "$(command -v $program)" "$tmp/bin/$program"
done
ln -s "$(python3 -c 'import sys; print(sys.executable)')" "$tmp/bin/python3"
cat >"$tmp/bin/ctest" <<END
#!/bin/sh
echo "ctest \$*" >>$tmp/calls
build=\${2#build/}
while [ "\$1" != --output-log ]; do shift; done
for i in 1 2 3 4 5; do
    printf ' %s/5 Test #%s: test_%s ....   Passed    %s.%s sec\n' \$i \$i \$i "\${#build}" \$i
done >"\$2"
END
for program in cppcheck clang-tidy valgrind; do
    printf '#!/bin/sh\nprintf "%%s\\n" "%s $*" >>%s/calls\n' $program "$tmp" >"$tmp/bin/$program"
done
printf '#!/bin/sh\nexit 1\n' >"$tmp/bin/setarch"
chmod +x "$tmp/bin/ctest" "$tmp/bin/cppcheck" "$tmp/bin/clang-tidy" "$tmp/bin/valgrind" "$tmp/bin/setarch"
mkdir -p "$tmp/source/lib" "$tmp/source/build/lint" "$tmp/source/build/release/tests/unit"
touch "$tmp/source/lib/one.c" "$tmp/source/lib/two.c" "$tmp/source/build/release/tests/unit/test_some"
for program in unit unit_of_threads; do
    printf '#!/bin/sh\necho %s_1\necho gunzip\necho %s_2\n' $program $program >"$tmp/source/build/release/tests/unit/$program"
    chmod +x "$tmp/source/build/release/tests/unit/$program"
done
cat >"$tmp/source/build/lint/compile_commands.json" <<'END'
[
{
  "directory": "/",
  "command": "/usr/bin/clang -DA -o x/one.c.o -c /lib/one.c",
  "file": "/lib/one.c"
},
{
  "directory": "/",
  "command": "/usr/bin/clang -DA -Dlibrary_EXPORTS -o y/one.c.o -c /lib/one.c",
  "file": "/lib/one.c"
},
{
  "directory": "/",
  "command": "/usr/bin/clang -DB -o z/one.c.o -c /lib/one.c",
  "file": "/lib/one.c"
}
]
END
rm "$tmp/calls"
PATH=$tmp/bin "$tmp/source/dev" test >"$tmp/out"
[ "$(grep -c '"command"' "$tmp/source/build/lint/once/compile_commands.json")" -eq 2 ]
for call in 'cppcheck --quiet .* simulator' 'clang-tidy --quiet .*max-nodes=20000 lib/one.c' \
    'clang-tidy --quiet .*max-nodes=20000 lib/two.c' \
    '--build build/release .* all' '--build build/clang .* not_sanitized' '--build build/sanitize .* all' \
    '--build build/tsan .* tests_of_threads' '--preset release .*-DCMAKE_C_FLAGS=-Werror' '--preset clang .*LAUNCHER= *' \
    'valgrind .*/test_some' 'valgrind .*/unit unit_1 unit_2' 'valgrind .*/unit_of_threads unit_of_threads_1 unit_of_threads_2' 'ctest --test-dir build/sanitize .* -L ^(unit|cli)\$' \
    'ctest --test-dir build/tsan .* -L ^threads\$' 'ctest --test-dir build/release .*--no-tests=error --output-log .*'; do
    [ "$(grep -c -x -e "$call" "$tmp/calls")" -eq 1 ] || { echo "FAIL: not once: $call"; cat "$tmp/calls"; exit 1; }
done
grep -A 10 '^== the ten slowest tests' "$tmp/out" >"$tmp/slowest"
[ "$(sed -n '2p;6p;7p;11p' "$tmp/slowest" | tr '\n' ',')" = \
    '8.5 s  test_5 (sanitize),8.1 s  test_1 (sanitize),7.5 s  test_5 (release),7.1 s  test_1 (release),' ] || {
    echo 'FAIL: other slowest tests'
    cat "$tmp/slowest"
    exit 1
}
# What lint finds fails all of it, though all tests pass.
printf '#!/bin/sh\necho "two.c:1: a fault"\nexit 1\n' >"$tmp/bin/clang-tidy"
if PATH=$tmp/bin "$tmp/source/dev" test >"$tmp/out" 2>"$tmp/err"; then
    echo 'FAIL: test succeeds though lint fails'
    exit 1
fi
grep -q '^two.c:1: a fault' "$tmp/err"
grep -q '^dev: clang-tidy finds faults' "$tmp/err"

# Lint remembers what was clean in all the same text, and nothing else.
mkdir -p "$tmp/tidy/lib" "$tmp/tidy/memory"
printf '#!/bin/sh\n[ "$1" = --version ] || echo "$*" >>%s/tidied\nexec grep -q clean lib/two.h\n' "$tmp" >"$tmp/bin/clang-tidy"
tidied()
{
    cd "$tmp/tidy"
    : >"$tmp/tidied"
    PATH=$tmp/bin:$PATH python3 "$1/tests/tools/tidy.py" "$tmp/tidy/memory" . || :
    [ "$(wc -l <"$tmp/tidied")" -eq "$2" ] || { echo "FAIL: tidied $(wc -l <"$tmp/tidied") times, not $2: $3"; exit 1; }
}
cat >"$tmp/tidy/compile_commands.json" <<END
[
{
  "directory": "$tmp/tidy",
  "command": "$(command -v gcc || command -v clang) -DTEXT=\\"a\\" -I$tmp/tidy/lib -o one.o -c $tmp/tidy/lib/one.c",
  "file": "$tmp/tidy/lib/one.c"
}
]
END
echo 'Checks: all' >"$tmp/tidy/.clang-tidy"
echo '#include "two.h"' >"$tmp/tidy/lib/one.c"
echo '/* clean */' >"$tmp/tidy/lib/two.h"
tidied "$1" 1 'it is new'
tidied "$1" 0 'nothing has changed'
echo '/* clean, changed */' >"$tmp/tidy/lib/two.h"
tidied "$1" 1 'a header has changed'
tidied "$1" 0 'nothing has changed since'
echo 'Checks: none' >"$tmp/tidy/.clang-tidy"
tidied "$1" 1 'what is asked has changed'
sed 's/-DTEXT/-DNAME/' "$tmp/tidy/compile_commands.json" >"$tmp/tidy/changed"
mv "$tmp/tidy/changed" "$tmp/tidy/compile_commands.json"
tidied "$1" 1 'how it is compiled has changed'
echo '/* at fault */' >"$tmp/tidy/lib/two.h"
tidied "$1" 1 'a fault'
tidied "$1" 1 'the fault is still there'

# No minimal Debian can be made: status 77, and CI runs the tests of this machine instead, for no other status.
ln -s "$(command -v git)" "$tmp/bin/git"
ln -s "$(command -v tee)" "$tmp/bin/tee"
printf '#!/bin/sh\necho 1000\n' >"$tmp/bin/id"
chmod +x "$tmp/bin/id"
mkdir -p "$tmp/source/tests/system/bare" "$tmp/source/.ci"
cp "$1/tests/system/bare/bare.sh" "$tmp/source/tests/system/bare"
code=0
PATH=$tmp/bin "$tmp/source/dev" bare >"$tmp/out" 2>&1 || code=$?
[ "$code" -eq 77 ]
[ "$(tail -n 1 "$tmp/out")" = 'BARE: NOT RUN: only root may make a minimal Debian' ]
rm "$tmp/bin/id" "$tmp/bin/git"
cp "$1/.ci/run" "$tmp/source/.ci"
mv "$tmp/source/dev" "$tmp/dev"
printf '#!/bin/sh\necho "$1" >>%s/ran\n[ "$1" = test ] || exit "$STATUS"\n' "$tmp" >"$tmp/source/dev"
chmod +x "$tmp/source/dev"
for case in '0 0 bare' '1 1 bare' '77 0 bare test'; do
    rm -f "$tmp/ran"
    code=0
    STATUS=${case%% *} "$tmp/source/.ci/run" || code=$?
    [ "${case#* }" = "$code $(tr '\n' ' ' <"$tmp/ran" | sed 's/ $//')" ] || { echo "FAIL: CI: $case"; exit 1; }
done
mv "$tmp/dev" "$tmp/source/dev"

# A release: of what is committed, of the version that all say it is, tried where that can be.
for program in git gzip tar; do
    ln -s "$(command -v $program)" "$tmp/bin/$program"
done
printf '#!/bin/sh\nexit 1\n' >"$tmp/bin/mmdebstrap"
chmod +x "$tmp/bin/mmdebstrap"
mkdir -p "$tmp/source/include/cellsync"
echo '#define CSY_VERSION "9.8.7"' >"$tmp/source/include/cellsync/cellsync.h"
printf 'What changed.\n\ncellsync 9.8.6\n' >"$tmp/source/NEWS"
echo 'version: 9.8.7' >"$tmp/source/CITATION.cff"
echo build >"$tmp/source/.gitignore"
commit()
{
    git -C "$tmp/source" add -A
    git -C "$tmp/source" -c user.name=x -c user.email=x@example.org commit -q -m x
}
release()
{
    PATH=$tmp/bin HOME=$tmp GNUPGHOME=$tmp "$tmp/source/dev" release >"$tmp/out" 2>"$tmp/err"
}
refuses()
{
    if release; then
        echo "FAIL: it releases: want $1"
        exit 1
    fi
    grep -q "^dev: $1" "$tmp/err"
}
git -C "$tmp/source" init -q
commit
refuses 'NEWS does not begin with cellsync 9.8.7'
sed -i 's/9.8.6/9.8.7/' "$tmp/source/NEWS"
refuses 'what is released is committed first'
commit
release
grep -q '^== NOT SIGNED' "$tmp/out"
grep -q '^== NOT TRIED' "$tmp/out"
tar -tzf "$tmp/source/build/dist/cellsync-9.8.7.tar.gz" | grep -qx cellsync-9.8.7/NEWS
(cd "$tmp/source/build/dist" && sha256sum --quiet -c ./*.sha256)
# What fails in there fails.
printf '#!/bin/sh\necho "== try it in a bare Debian"\nexit 1\n' >"$tmp/bin/mmdebstrap"
refuses 'failed in a bare Debian'
