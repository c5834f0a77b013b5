#!/bin/sh
# Records spans of three services on one machine, whose clocks are shifted by known amounts, with the Node SDK of
# OpenTelemetry. Needs Node.js, npm, and a network.
#
#   record.sh WORK OUT      WORK: a folder for the SDK; OUT gets fine.jsonl.gz, ms.jsonl.gz, and truth.json
set -eu
here=$(cd -- "$(dirname -- "$0")" && pwd)
mkdir -p "$1" "$2"
work=$(cd -- "$1" && pwd) out=$(cd -- "$2" && pwd)
cp "$here/package.json" "$here/service.js" "$work"
cd "$work"
npm install --no-audit --no-fund --silent
for step in fine ms; do
    node service.js price 7003 0 -350 -25 "$step" 4 price.json & price=$!
    node service.js cart 7002 7003 1200 60 "$step" 4 cart.json & cart=$!
    sleep 1
    node service.js client 0 7002 0 0 "$step" 4 client.json
    kill -TERM "$cart" "$price"
    wait
    # Like a collector, write one document a line.
    for service in client cart price; do
        cat "$service.json"
        echo
    done | gzip -9n >"$out/$step.jsonl.gz"
    for service in client cart price; do
        cat "$service.json.truth"
        echo
    done >"$step.truth"
done
{
    printf '{"recorded": "%s, Node %s", ' "$(date -u +%Y-%m-%d)" "$(node --version)"
    printf '"fine": [%s], "ms": [%s]}\n' "$(paste -sd, fine.truth)" "$(paste -sd, ms.truth)"
} >"$out/truth.json"
