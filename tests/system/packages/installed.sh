#!/bin/sh
# In a bare Debian, as root: installs the packages in /tmp/packages, uses them as people do, removes them, and sees
# that nothing is left.  packages.sh runs it.
set -eu
cd /tmp/packages
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8

bad()
{
    printf 'FAIL: %s\n' "$*" >&2
    exit 1
}

apt-get -qq install -y --no-install-recommends ./cellsync_*.deb ./libcellsync0.2_*.deb ./libcellsync-dev_*.deb ./celltrace_*.deb
dpkg --verify cellsync libcellsync0.2 libcellsync-dev celltrace
ldconfig -p | grep -q 'libcellsync\.so\.0\.2 ' || bad 'the loader does not know libcellsync.so.0.2'

# The programs.
version=$(dpkg-query -W -f '${Version}' cellsync)
cellsync --version | grep -qx "cellsync ${version%-*}" || bad 'cellsync --version'
cellsync -q demo.pex -o synced.pex -r report.html
cellsync --check synced.pex
cellstat concurrency demo.pex >concurrency.txt
pdtsim --workload=juliaset -o simulated.pex
cellsync -q simulated.pex
celltrace -o run sleep 0
cellsync -q --salvage run -o run.csv
for page in cellsync.1 cellstat.1 pdtsim.1 celltrace.1 libcellsync.3 libcelltrace.3 pex.5 cellsync-csv.5 cellsync-events.5 cellsync-run.5 cellsync-output.5 cellsync-recipes.7 cellsync-glossary.7 cellsync-messages.7 cellsync-model.7; do
    zcat "/usr/share/man/man${page##*.}/$page.gz" | grep -q '^\.Nm' || bad "no page $page"
done

# The library, shared and static, as examples use it.
example=/usr/share/doc/libcellsync-dev/examples/offsets.c
# shellcheck disable=SC2046 # words
cc -std=c11 "$example" -o shared $(pkg-config --cflags --libs cellsync)
printf '%s\n' 'cmake_minimum_required(VERSION 3.22)' 'project(p LANGUAGES C)' \
    'find_package(cellsync 0.2 REQUIRED COMPONENTS shared static)' \
    "add_executable(by_shared $example)" 'target_link_libraries(by_shared PRIVATE cellsync::shared)' \
    "add_executable(by_static $example)" 'target_link_libraries(by_static PRIVATE cellsync::static)' >CMakeLists.txt
cmake -S . -B cmake >/dev/null
cmake --build cmake >/dev/null
./shared demo.pex >shared.out
grep -q '^spe2.1 61000000220 -9 +9$' shared.out || bad "offsets: $(cat shared.out)"
readelf -d shared | grep -qF '[libcellsync.so.0.2]' || bad 'a program is not linked against libcellsync.so.0.2'
! readelf -d cmake/by_static | grep -qF libcellsync || bad 'a program that is linked statically wants the shared library'
for program in shared static; do
    "cmake/by_$program" demo.pex | cmp - shared.out
done

dpkg-query -L cellsync libcellsync0.2 libcellsync-dev celltrace | sort -u >files
apt-get -qq purge -y cellsync libcellsync0.2 libcellsync-dev celltrace
left=$(find / -xdev -path /tmp -prune -o -path /proc -prune -o -path /sys -prune -o \
    \( -name '*cellsync*' -o -name '*celltrace*' -o -name '*cellstat*' -o -name '*pdtsim*' \) -print)
[ -z "$left" ] || bad "left behind: $left"
while read -r file; do
    [ -d "$file" ] || [ ! -e "$file" ] || bad "left behind: $file"
done <files
! ldconfig -p | grep -q libcellsync || bad 'the loader still knows libcellsync'
echo 'installed, used and removed'
