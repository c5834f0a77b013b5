#!/bin/sh
# Every C file, but those that take mpi.h, compiles with musl's headers, and with glibc's where nothing is taken but what POSIX has.
#
#   musl.sh SOURCE_FOLDER     exit 77: there is no musl-gcc
set -eu
cd "$1"
failed=0

all_files()
{
    find lib stat recorder simulator -name '*.c' ! -path 'recorder/mpi/*' -print | sort
}

# told_apart: files that are other code where nothing is taken but what POSIX has, and those that not every build has.
# All others are what the build compiles.
told_apart()
{
    if grep -rlE 'HAVE_|base/portable\.h' --include='*.h' lib stat recorder simulator | grep -qvx lib/base/portable.h; then
        all_files
    else
        { grep -rlE 'HAVE_|base/portable\.h' --include='*.c' lib stat recorder simulator; all_files | grep -E '/[a-z0-9_]*absent\.c$|^lib/base/wide\.c$'; } | sort -u
    fi
}

# compile COMPILER [FLAG...] <FILES: libxml2 and zlib are those of this system, whose C library's headers come last.
compile()
{
    xargs -P "$(nproc)" -n 8 \
        "$@" -std=c11 -Wall -Wextra -Werror -fsyntax-only -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 \
        -DCELLTRACE_LIBRARY='"libcelltrace.so"' -DCELLTRACE_MODULES='"celltrace"' -I include -I lib -I stat -I . \
        -idirafter /usr/include/libxml2 -idirafter /usr/include \
        -idirafter "/usr/include/$(cc -print-multiarch)"
}

told_apart | compile cc || failed=1
command -v musl-gcc >/dev/null || { [ "$failed" -eq 0 ] || exit 1; echo 'there is no musl-gcc'; exit 77; }
all_files | compile musl-gcc -DHAVE_SCHED_GETAFFINITY || failed=1
exit "$failed"
