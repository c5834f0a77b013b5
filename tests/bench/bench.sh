#!/bin/sh
# The benchmarks: usage bench.sh BUILD_FOLDER [LINE...]; see bench.py.
set -eu
here=$(dirname -- "$(readlink -f -- "$0")")
exec python3 -B "$here/bench.py" "$@"
