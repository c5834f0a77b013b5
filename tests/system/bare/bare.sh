#!/bin/sh
# The promise of ./dev on a bare machine: in a minimal Debian 12 with neither compiler nor CMake, a
# clean clone of HEAD builds, shows and tests itself.  Run by hand, as root; takes a few minutes.
#
#   bare.sh [--base=FILE] [--keep]
#
#   --base=FILE  a tar file of the minimal Debian: unpacked if it is there, else written for the
#                next time
#   --keep       leave the folder, and say where it is
#
# The mirror and how to reach it (proxy, certificates) are the host's own, as apt is configured
# there; MIRROR=URL names another.  Everything happens in a temporary folder (TMPDIR or /tmp) and in
# a mount and a process namespace of its own: nothing stays mounted, whatever happens.
set -eu

release=bookworm
top=$(cd -- "$(dirname -- "$0")/../../.." && pwd)
base=
keep=

say()
{
    printf '== bare: %s\n' "$*"
}

die()
{
    printf 'bare.sh: %s\n' "$*" >&2
    exit 1
}

for argument in "$@"; do
    case $argument in
        --base=?*) base=${argument#--base=} ;;
        --keep) keep=yes ;;
        *)
            echo 'usage: bare.sh [--base=FILE] [--keep]' >&2
            exit 2
            ;;
    esac
done

# In a namespace of its own from here on; mounts and processes end with it.
if [ "${BARE_NAMESPACE-}" != yes ]; then
    [ "$(id -u)" -eq 0 ] || die 'only root may make a chroot'
    for tool in apt-get debootstrap git tar unshare; do
        command -v "$tool" >/dev/null || die "there is no $tool here"
    done
    tmp=$(mktemp -d "${TMPDIR:-/tmp}/bare.XXXXXX")
    if [ -n "$keep" ]; then
        trap 'say "left in $tmp"' EXIT
    else
        trap 'rm -rf --one-file-system "$tmp"' EXIT
    fi
    trap 'exit 1' HUP INT TERM
    BARE_NAMESPACE=yes BARE_TMP=$tmp \
        unshare --mount --pid --fork --kill-child sh "$0" "$@"
    exit
fi
tmp=$BARE_TMP
root=$tmp/root

# sources: the host's Debian repositories, one line each: URL, suite, component.
sources()
{
    # shellcheck disable=SC2016 # apt-get's variables
    apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT) $(ORIGIN)' \
        'Created-By: Packages' |
        awk -v release="$release" '
            ($2 == release || index($2, release "-") == 1) && $3 == "main" &&
            ($4 == "Debian" || $4 == "") && !seen[$0]++ { print $1, $2, $3 }'
}

make_base()
{
    if [ -n "$base" ] && [ -f "$base" ]; then
        say "unpack $base"
        mkdir "$root"
        tar -C "$root" -xf "$base"
        return
    fi
    mirror=${MIRROR:-$(sources | awk -v release="$release" '$2 == release { print $1; exit }')}
    [ -n "$mirror" ] || die "apt is configured for no mirror of $release; set MIRROR"
    say "make a minimal $release with debootstrap"
    debootstrap --variant=minbase "$release" "$root" "$mirror" >"$tmp/debootstrap.log" 2>&1 || {
        tail -n 20 "$tmp/debootstrap.log" >&2
        die 'debootstrap failed'
    }
    rm -f "$root"/var/cache/apt/archives/*.deb
    if [ -n "$base" ]; then
        tar -C "$root" -cf "$base.part" .
        mv "$base.part" "$base"
    fi
}

# Reach the network as the host does.  Of its apt configuration only what says how files are
# fetched: hooks and the like would want programs that are not there.
configure_network()
{
    if [ -z "${MIRROR-}" ]; then
        sources | sed 's/^/deb /' >"$root/etc/apt/sources.list"
    fi
    apt-config dump | grep '^Acquire::' >"$root/etc/apt/apt.conf.d/99host" || :
    for file in /etc/resolv.conf /etc/hosts /etc/ssl/certs/ca-certificates.crt; do
        if [ -f "$file" ]; then
            mkdir -p "$root${file%/*}"
            rm -f "$root$file"
            cp "$file" "$root$file"
        fi
    done
}

mount_all()
{
    mount -t proc proc "$root/proc"
    mkdir -p "$root/dev/pts" "$root/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
    mount -t tmpfs tmpfs "$root/dev/shm"
    rm -f "$root/dev/ptmx"
    ln -s pts/ptmx "$root/dev/ptmx"
}

# inside COMMAND...: run a command in the clone in the chroot.
inside()
{
    env -i HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
        ${no_proxy:+no_proxy="$no_proxy"} \
        chroot "$root" sh -c 'cd /root/cellsync && exec "$@"' sh "$@"
}

# absent TOOL...: none of them is in the chroot.
absent()
{
    for tool in "$@"; do
        ! inside sh -c "command -v $tool" >/dev/null || die "$tool is in the chroot already"
    done
}

# timed NAME COMMAND...: run inside, keep the output in NAME.log, show it and the time.
timed()
{
    log=$tmp/$1.log
    shift
    say "$*"
    begin=$(date +%s)
    { inside "$@" 2>&1 && echo ok >"$log.status"; } | tee "$log"
    [ -f "$log.status" ] || die "failed: $*"
    say "$*: $(($(date +%s) - begin)) s"
}

make_base
configure_network
mount_all
git clone -q --no-hardlinks "$top" "$root/root/cellsync"
[ -z "$(git -C "$top" status --porcelain)" ] || say 'what is not committed is left out'
absent cc gcc clang cmake make ninja pkg-config python3 git sudo

say './dev demo, by a user who may not install packages'
chmod a+x "$root/root"
code=0
inside setpriv --reuid=65534 --regid=65534 --clear-groups ./dev demo >"$tmp/user.log" 2>&1 ||
    code=$?
cat "$tmp/user.log"
[ "$code" -eq 1 ] || die "exit $code, want 1"
grep -q 'apt-get install --no-install-recommends .*gcc.* cmake' "$tmp/user.log" ||
    die 'no apt-get command is named'
chmod go-x "$root/root"

timed demo ./dev demo
inside test -s build/demo/demo.trace || die 'there is no build/demo/demo.trace'
absent clang git

timed again ./dev demo
! grep -q install "$tmp/again.log" || die 'the second demo installs again'

timed test ./dev test
tail -n 20 "$tmp/test.log" | grep -q '^100% tests passed' ||
    die 'the last output is not the summary of ctest'
absent git
say 'all well'
