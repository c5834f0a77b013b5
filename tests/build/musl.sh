#!/bin/sh
# Every file of src, but those that take mpi.h, compiles with musl's headers, and with glibc's where nothing is taken but what POSIX has.
#
#   musl.sh SOURCE_FOLDER     exit 77: there is no musl-gcc
set -eu
cd "$1"
failed=0

# compile COMPILER [FLAG...]: all files; libxml2 and zlib are those of this system, whose C library's headers come last.
compile()
{
    find src -name '*.c' ! -path 'src/celltrace/mpi_*' -print | sort | xargs -P "$(nproc)" -n 8 \
        "$@" -std=c11 -Wall -Wextra -Werror -fsyntax-only -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 \
        -DCELLTRACE_LIBRARY='"libcelltrace.so"' -DCELLTRACE_MODULES='"celltrace"' -I include -I src \
        -idirafter /usr/include/libxml2 -idirafter /usr/include \
        -idirafter "/usr/include/$(cc -print-multiarch)" || failed=1
}

compile cc
command -v musl-gcc >/dev/null || { [ "$failed" -eq 0 ] || exit 1; echo 'there is no musl-gcc'; exit 77; }
compile musl-gcc -DHAVE_SCHED_GETAFFINITY
exit "$failed"
