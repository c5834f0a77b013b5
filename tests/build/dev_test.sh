#!/bin/sh
# ./dev where there is no dpkg: what demo misses is named, as four systems call it, and nothing is built;
# test quick runs the quick tests and no others.
#
#   dev_test.sh SOURCE_FOLDER
set -eu
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/bin" "$tmp/source"
cp "$1/dev" "$tmp/source/dev"
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
