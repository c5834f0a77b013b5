#!/bin/sh
# The Debian packages: what is in them, what lintian says, and how they are installed, used and removed in a bare chroot.
#
#   packages.sh FOLDER SOURCE_FOLDER SUITE [MIRROR]    of the packages; mmdebstrap makes the chroot, as root
#
# Where no chroot can be made, that part is skipped, and said so.
set -eu
debs=$1 source=$2 suite=$3 mirror=${4:-}
here=$(cd -- "$(dirname -- "$0")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
failures=0

bad()
{
    printf 'FAIL: %s\n' "$*"
    failures=$((failures + 1))
}

# has PACKAGE PATTERN...: each is the path of one file in it or more, as an extended regular expression, whole.
has()
{
    package=$1
    shift
    file=$(echo "$debs/$package"_*.deb)
    [ -f "$file" ] || {
        bad "there is no one package $package: $file"
        return
    }
    dpkg-deb --fsys-tarfile "$file" | tar -t | sed -n 's,^\./\(.*[^/]\)$,\1,p' | LC_ALL=C sort >"$tmp/files"
    cat "$tmp/files" >>"$tmp/all"
    for pattern in "$@" "usr/share/doc/$package/(copyright|changelog\\.Debian\\.gz)"; do
        grep -qxE "$pattern" "$tmp/files" || bad "$package has no $pattern"
    done
    ! grep -E 'share/man/.*\.[0-9]$' "$tmp/files" || bad "$package has manual pages that are not compressed"
}

lib='usr/lib/[^/]+'
has cellsync 'usr/bin/cellsync' 'usr/bin/cellstat' 'usr/bin/pdtsim' 'usr/share/man/man1/cellstat\.1\.gz' \
    'usr/share/man/man7/cellsync-model\.7\.gz' 'usr/share/man/man7/cellsync-messages\.7\.gz' 'usr/share/zsh/vendor-completions/_cellsync' \
    'usr/share/bash-completion/completions/pdtsim' 'usr/share/fish/vendor_completions\.d/cellstat\.fish'
has libcellsync0.2 "$lib/libcellsync\\.so\\.0\\.2"
has libcellsync-dev "$lib/libcellsync\\.(a|so)" 'usr/include/cellsync/analysis\.h' "$lib/pkgconfig/cellsync\\.pc" \
    "$lib/cmake/cellsync/cellsyncConfig\\.cmake" 'usr/share/man/man3/libcellsync\.3\.gz' \
    'usr/share/doc/libcellsync-dev/examples/offsets\.c'
has celltrace 'usr/bin/celltrace' "$lib/libcelltrace\\.so\\.0" 'usr/share/man/man1/celltrace\.1\.gz' \
    'usr/share/doc/celltrace/examples/mpi/heat\.c' 'usr/share/bash-completion/completions/celltrace' \
    'usr/share/zsh/vendor-completions/_celltrace'
twice=$(LC_ALL=C sort "$tmp/all" | uniq -d)
[ -z "$twice" ] || bad "in two packages: $twice"

echo '== lintian'
lintian --allow-root --fail-on error,warning "$debs"/*.deb || bad 'lintian'

echo "== a chroot of $suite"
if [ "$(id -u)" -ne 0 ]; then
    echo 'SKIPPED: only root can enter a chroot; nothing was installed'
    [ "$failures" -eq 0 ]
    exit
fi
mkdir "$tmp/packages"
cp "$debs"/*.deb "$source/testdata/demo.pex" "$source/testdata/demo.trace" "$here/installed.sh" "$tmp/packages"
# What the hooks do is not told from what mmdebstrap itself cannot do, but by how far they came.
# Nothing of this environment is of use there, such as a compiler launcher of CMake's.
# shellcheck disable=SC2016 # $1 is of the hook
if mmdebstrap --quiet --variant=apt --format=null --include=binutils,cmake,gcc,libc6-dev,make,pkg-config \
    --customize-hook="touch '$tmp/begun'" --customize-hook="copy-in '$tmp/packages' /tmp" \
    --customize-hook='chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root sh /tmp/packages/installed.sh' "$suite" - ${mirror:+"$mirror"} \
    >"$tmp/log" 2>&1 </dev/null; then
    tail -n 1 "$tmp/log"
elif [ -e "$tmp/begun" ]; then
    tail -n 60 "$tmp/log"
    bad 'packages in the chroot'
else
    tail -n 20 "$tmp/log"
    echo 'SKIPPED: no chroot can be made here, see above; nothing was installed'
fi
[ "$failures" -eq 0 ]
