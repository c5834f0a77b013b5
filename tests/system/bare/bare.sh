#!/bin/sh
# ./dev bare: in a minimal Debian with neither compiler nor CMake, a clean clone of HEAD builds, shows, and tests itself.
#
#   bare.sh SUITE CACHE      as root; exit status 77: no minimal Debian can be made here
#
# The Debian is in a temporary folder, in a mount and a process namespace of its own, so nothing stays mounted or running. It is made anew from the same minimal base each time; a package that ./dev does not name is missing each time.
# Packages come from where the apt of this machine fetches them, in the same way (proxy, certificates).
#
# The folder CACHE keeps what only costs time: bare/base-SUITE.tar, the minimal base, for 7 days; bare/debs, the packages
# that apt has fetched; bare/ccache; and lint, the memory of ./dev lint. Only one run at a time uses it.
set -eu

suite=$1
cache=$2
here=$(cd -- "$(dirname -- "$0")" && pwd)
top=$(cd -- "$here/../../.." && pwd)
base=$cache/bare/base-$suite.tar

say()
{
    printf '== bare: %s\n' "$*"
}

not_run()
{
    printf 'BARE: NOT RUN: %s\n' "$*"
    exit 77
}

fail()
{
    printf 'BARE: FAILED: %s\n' "$*"
    exit 1
}

# sources: the Debian repositories of this machine, one line each: URL, suite, component.
sources()
{
    # shellcheck disable=SC2016 # apt-get's variables
    apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT) $(ORIGIN)' 'Created-By: Packages' |
        awk -v suite="$suite" '
            ($2 == suite || index($2, suite "-") == 1) && $3 == "main" && ($4 == "Debian" || $4 == "") && !seen[$0]++ {
                print $1, $2, $3
            }'
}

# --- Before the namespaces -----------------------------------------------------------------------

# prepare: exit with 77 if something is missing that cannot be installed; otherwise lock the cache and make a folder.
prepare()
{
    [ "$(id -u)" -eq 0 ] || not_run 'only root may make a minimal Debian'
    for tool in apt-get flock git mmdebstrap mount pivot_root tar unshare; do
        command -v "$tool" >/dev/null || not_run "$tool is not installed"
    done
    unshare --mount --pid --fork --mount-proc true 2>/dev/null || not_run 'this machine grants no namespaces'
    mirror=$(sources | awk -v suite="$suite" '$2 == suite { print $1; exit }')
    [ -n "$mirror" ] || not_run "apt is configured for no mirror of Debian $suite"
    tmp=$(mktemp -d "${TMPDIR:-/tmp}/bare.XXXXXX")
    trap 'rm -rf --one-file-system "$tmp"' EXIT
    trap 'exit 1' HUP INT TERM
    # The sandbox of apt is a user who may not write to the folder.
    /usr/lib/apt/apt-helper -o APT::Sandbox::User=root download-file "${mirror%/}/dists/$suite/InRelease" "$tmp/InRelease" \
        >"$tmp/log" 2>&1 || not_run "the mirror of Debian $suite does not answer: $(grep -m 1 '^E:' "$tmp/log" || :)"
    mkdir -p "$cache/bare/debs" "$cache/bare/ccache" "$cache/lint"
    exec 9>"$cache/bare/lock"
    flock -n 9 || {
        say "wait for another run, which uses $cache/bare"
        flock 9
    }
}

if [ -z "${BARE_FOLDER-}" ]; then
    prepare
    code=0
    # In the background, so that a signal ends the wait. unshare ignores what asks it to end; without it the namespaces end.
    BARE_FOLDER=$tmp unshare --mount --pid --fork --kill-child sh "$0" "$suite" "$cache" &
    child=$!
    trap 'kill -s KILL "$child" 2>/dev/null || :; wait; exit 1' HUP INT TERM
    wait "$child" || code=$?
    exit "$code"
fi

# --- In the namespaces ---------------------------------------------------------------------------

begun=$(date +%s)
tmp=$BARE_FOLDER
root=$tmp/root
clone=/root/cellsync

# How apt fetches files here. Hooks and the like would need programs that are not there.
fetching()
{
    apt-config dump | grep '^Acquire::' || :
}

make_base()
{
    [ -z "$(find "$base" -mtime -7 2>/dev/null)" ] || return 0
    say "make a minimal Debian $suite ($base)"
    fetching >"$tmp/fetching"
    # Device nodes need a right that containers do not have; mount_all binds those of this machine.
    sources | sed 's/^/deb /' |
        mmdebstrap --quiet --format=tar --variant=minbase --skip=output/dev --aptopt="$tmp/fetching" "$suite" "$base.part" - \
            >"$tmp/log" 2>&1 || {
        tail -n 20 "$tmp/log"
        not_run "mmdebstrap makes no minimal Debian $suite"
    }
    mv "$base.part" "$base"
}

# The network, as this machine reaches it; and packages need not survive a crash of the machine.
configure()
{
    sources | sed 's/^/deb /' >"$root/etc/apt/sources.list"
    fetching >"$root/etc/apt/apt.conf.d/99mmdebstrap"
    echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io"
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
    mount --bind "$root" "$root" # pivot_root takes nothing but a mount point
    mkdir -p "$root/proc" "$root/sys" "$root/dev"
    mount -t proc proc "$root/proc"
    mount --bind /sys "$root/sys"
    mount -o remount,bind,ro "$root/sys"
    mount -t tmpfs -o mode=755 tmpfs "$root/dev"
    for node in null zero full random urandom tty; do
        : >"$root/dev/$node"
        mount --bind "/dev/$node" "$root/dev/$node"
    done
    mkdir "$root/dev/pts" "$root/dev/shm"
    mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
    mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
    ln -s pts/ptmx "$root/dev/ptmx"
    ln -s /proc/self/fd "$root/dev/fd"
    ln -s fd/0 "$root/dev/stdin"
    ln -s fd/1 "$root/dev/stdout"
    ln -s fd/2 "$root/dev/stderr"
    bind bare/debs /var/cache/apt/archives
    bind bare/ccache /root/.cache/ccache
    bind lint /root/.cache/cellsync/lint
}

# bind KEPT FOLDER: a folder of the cache, in the minimal Debian.
bind()
{
    mkdir -p "$root$2"
    mount --bind "$cache/$1" "$root$2"
}

# inside COMMAND...: run a command in the clone in the minimal Debian. Its root folder is that of the namespace, not of a
# chroot: in one the kernel grants no user namespaces, which some tests take. Signals that shells ignore in the background
# act as usual.
inside()
{
    # shellcheck disable=SC2016 # of that shell
    env -i --default-signal=HUP,INT,QUIT HOME=/root LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
        ${no_proxy:+no_proxy="$no_proxy"} \
        unshare --mount sh -c 'cd "$0" && pivot_root . mnt && umount -l /mnt && cd "$1" && shift && exec "$@"' \
        "$root" "$clone" "$@" </dev/null
}

# absent TOOL...: none of them is in the minimal Debian.
absent()
{
    for tool in "$@"; do
        ! inside sh -c "command -v $tool" >/dev/null || fail "$tool is there already"
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
    [ -f "$log.status" ] || fail "$*"
    say "$*: $(($(date +%s) - begin)) s"
}

# skipped FILE: names of the tests that ctest has skipped, of its output.
skipped()
{
    sed -n 's/^[[:blank:]]*[0-9]* - \(.*\) (Skipped)$/\1/p' "$1" | sort -u
}

make_base
mkdir "$root"
tar -C "$root" -xf "$base"
configure
trap 'not_run "this machine lets no minimal Debian be mounted"' EXIT
mount_all
trap - EXIT
# Always in the same folder, whose name is in what ccache remembers.
git clone -q --no-hardlinks "$top" "$root$clone"
[ -z "$(git -C "$top" status --porcelain)" ] || say 'what is not committed is left out'
say "$(git -C "$root$clone" log -1 --format='%h %s')"
absent cc gcc clang cmake make ninja pkg-config python3 git sudo

say './dev demo, by a user who may not install packages'
chmod a+x "$root/root"
code=0
inside setpriv --reuid=65534 --regid=65534 --clear-groups ./dev demo >"$tmp/user.log" 2>&1 || code=$?
cat "$tmp/user.log"
[ "$code" -eq 1 ] || fail "./dev demo by another user: exit status $code instead of 1"
grep -q 'apt-get install --no-install-recommends .*gcc.* cmake' "$tmp/user.log" || fail './dev demo names no apt-get command'
chmod go-x "$root/root"

timed demo ./dev demo
inside test -s build/demo/demo.html || fail './dev demo makes no build/demo/demo.html'
absent clang git

timed again ./dev demo
! grep -q '^== install' "$tmp/again.log" || fail 'a second ./dev demo installs packages'

timed test ./dev test
grep -q '^100% tests passed' "$tmp/test.log" || fail './dev test shows no summary of ctest'
skipped "$tmp/test.log" >"$tmp/skipped"
sed -n 's/^\([a-z0-9_]*\)  *[^ ].*/\1/p' "$here/skipped" | sort >"$tmp/may-be-skipped"
unlisted=$(comm -23 "$tmp/skipped" "$tmp/may-be-skipped" | tr '\n' ' ')
[ -z "$unlisted" ] || fail "skipped without a reason in tests/system/bare/skipped: $unlisted"
unused=$(comm -13 "$tmp/skipped" "$tmp/may-be-skipped" | tr '\n' ' ')
[ -z "$unused" ] || say "not skipped, though tests/system/bare/skipped has them: $unused"

inside apt-get -qq autoclean
printf 'BARE: passed in %d s\n' "$(($(date +%s) - begun))"
