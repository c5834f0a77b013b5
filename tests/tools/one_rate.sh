#!/bin/sh
# one_rate.sh PROGRAM ARGUMENT...: run cellsync or cellstat with --drift=0 and --delta=least, unless arguments override them.
rates=--drift=0 stamps=--delta=least
program=$1
shift
for word in "$@"; do
    case $word in
        --check | --help | --version | --method*) rates= stamps= ;;
        --drift*) rates= ;;
        --delta* | --relax*) stamps= ;;
    esac
done
exec "$program" $rates $stamps "$@"
