# Spans in JSON: what gives no order is counted, and what cannot be read is refused with its place.
host() { printf '{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"s%s"}},{"key":"host.name","value":{"stringValue":"%s"}}]},"scopeSpans":[{"spans":[%s]}]}' "$1" "$1" "$2"; }
span() # ID PARENT KIND BEGIN END [MORE]
{
    printf '{"traceId":"5b8efff798038103d269b633813fc60c","spanId":"%016x","parentSpanId":"%s","name":"n%s","kind":%s,"startTimeUnixNano":"%s","endTimeUnixNano":"%s"%s}' \
        "$1" "${2:+$(printf %016x "$2")}" "$1" "$3" "$4" "$5" "${6-}"
}
otlp() { printf '{"resourceSpans":[%s,%s]}\n' "$1" "$2"; }
client=$(span 1 '' 3 1000000001 1000400002)
server=$(span 2 1 2 2000000003 2000100004)

otlp "$(host a "$client")" "$(host b "$server")" >good.json
good 'cellsync --drift=0 good.json -r report.txt; grep -e ^order -e ^clock report.txt'
good 'cellsync --drift=0 -q good.json -o out.json'
cat out.json
fails 1 'cellsync -q out.json'
fails 2 'cellsync -q good.json --to=zipkin -o x.json'
fails 2 'cellsync -q good.json --from=jaeger'
fails 2 'cellsync -q good.json --monotonic -o x.json'
fails 2 'cellsync -q good.json --method=lamport -o x.json'
fails 2 'cellsync -q good.json --only=sa -o x.json'
fails 2 'cellsync -q good.json --steps=1'
good 'cellsync --drift=0 --spans=nested good.json -r nested.txt'
good 'cellsync --drift=0 -q --spans=nested X=good.json -o nested.csv && cellsync --check nested.csv --original=X=good.json'
fails 1 'cellsync --check nested.csv --original=good.json'
use two.csv
fails 2 'cellsync -q two.csv --spans=nested'
fails 2 'cellsync --check nested.csv --original two.csv good.json'
# OTLP in Protocol Buffers, as it is and with the length that the file exporter writes.
printf '\n\031\n\027\n\025\n\014service.name\022\005\n\003abc' >otlp.pb
{ printf '\0\0\0\033' && cat otlp.pb; } >exported.pb
fails 1 'cellsync otlp.pb'
fails 1 'cellsync exported.pb'

# Ids that give no order.
warned() { good "cellsync --drift=0 $1 -r /dev/null"; }
otlp "$(host a "$client,$client")" "$(host b "$server")" >copies.json
otlp "$(host a "$client,$(span 1 '' 1 5 6)")" "$(host b "$server")" >reused.json
otlp "$(host a "$(span 1 2 3 1000000001 1000400002)")" "$(host b "$server")" >cycle.json
otlp "$(host a "$(span 1 1 3 1000000001 1000400002)")" "$(host b "$server")" >self.json
otlp "$(host a "$client")" "$(host b "$(span 2 9 2 2000000003 2000100004)")" >orphan.json
otlp "$(host a "$(span 1 '' 3 1000400002 1000000001)")" "$(host b "$server")" >backwards.json
otlp "$(host a "$client")" "$(host b "$(span 2 1 2 '' '')")" >untimed.json
printf '{"resourceSpans":[{"scopeSpans":[{"spans":[%s]}]}]}' "$client" >anonymous.json
for file in copies reused cycle self orphan backwards untimed anonymous; do
    warned $file.json
done

# It is unknown for which of two servers a client waited, also if one of them has no times.
good 'cellsync --drift=0 -q good.json | grep ^clock'
otlp "$(host a "$client")" "$(host b "$(span 3 1 2 '' 2000100004)"),$(host c "$server")" >two_servers.json
good 'cellsync --drift=0 -q two_servers.json | grep ^clock'

# The spans of a client and of two servers with one id, in any order.
half() { printf '{"traceId":"1","id":"2","kind":"%s","timestamp":%s,"duration":300,"localEndpoint":{"serviceName":"s"},"tags":{"host.name":"%s"}}' "$@"; }
c=$(half CLIENT 1001 a) s=$(half SERVER 9002 b) t=$(half SERVER 1103 c)
for order in "$c,$s,$t" "$s,$c,$t" "$s,$t,$c" "$t,$s,$c"; do
    echo "[$order]" >halves.json
    good 'cellsync --drift=0 -q halves.json --reference=a | grep ^clock'
done

# One begin in whole milliseconds is not a coincidence among begins in nanoseconds.
otlp "$(host a "$client")" "$(host b "$(span 2 1 2 1000001000000 1000001000000)")" >coarse.json
good 'cellsync --drift=0 -q coarse.json | grep -e ^premise -e ^clock'

# A clock that nothing connects keeps its own times, at one rate and with drift.
otlp "$(host a "$client")" "$(host b "$(span 2 '' 2 101000000003 101000100004)")" >apart.json
good 'cellsync -q apart.json -o - --to=csv | tail -n 2'
good 'cellsync --drift=0 apart.json -o apart.csv && tail -n 2 apart.csv'
good 'cellsync --check apart.csv --original=apart.json'

# A span that follows from a client need not begin before the client ends.
follows() # TYPE
{
    printf '{"data":[{"traceID":"1","spans":[{"traceID":"1","spanID":"2","operationName":"a","startTime":1000,"duration":50,"references":[],'
    printf '"tags":[{"key":"span.kind","value":"client"}],"processID":"p"},{"traceID":"1","spanID":"3","operationName":"b","startTime":3000,'
    printf '"duration":50,"references":[{"refType":"%s","traceID":"1","spanID":"2"}],"tags":[{"key":"span.kind","value":"server"}],' "$1"
    printf '"processID":"q"}],"processes":{"p":{"serviceName":"p","tags":[{"key":"host.name","value":"a"}]},"q":{"serviceName":"q",'
    printf '"tags":[{"key":"host.name","value":"b"}]}}}]}'
}
follows CHILD_OF >child.json
follows FOLLOWS_FROM >follower.json
good 'cellsync --drift=0 -q child.json -r report.txt; grep -e ^order -e ^clock report.txt'
good 'cellsync --drift=0 -q follower.json -r report.txt; grep -e ^order -e ^clock report.txt'

# A begin of 0 is no begin. A link to another clock is a relation.
otlp "$(host a "$client,$(span 3 '' 1 0 0)")" "$(host b "$server")" >zero.json
otlp "$(host a "$client")" "$(host b "$(span 2 '' 2 2000000003 2000100004 ',"links":[{"traceId":"5b8efff798038103d269b633813fc60c","spanId":"0000000000000001"}]')")" >linked.json
warned zero.json
warned linked.json

# Attributes that the writer could not extend are refused; null is replaced.
for attributes in '[[]]' '[1]' '{}' '"x"' null; do
    otlp "$(host a "$(span 1 '' 3 1000000001 1000400002 ",\"attributes\":$attributes")")" "$(host b "$server")" >attributes.json
    if [ "$attributes" = null ]; then
        good 'cellsync -q attributes.json -o out.json -r /dev/null && grep -o "\"attributes\":.{.key.:.cellsync[^}]*" out.json | head -n 1'
    else
        fails 1 'cellsync -q attributes.json'
    fi
done

# Names that a CSV contains only with an apostrophe or an escape are those of the original.
otlp "$(host a "$client")" "$(host b "$server")" | sed 's/"n1"/"@n1"/; s/"n2"/"=a\\u007f\\u001b[0m\\u0085"/; s/"b"/"+b"/' >names.json
good 'cellsync -q names.json -o names.csv && tail -n 2 names.csv && cellsync --check names.csv --original=names.json | head -n 2'
sed "s/'@n1/'=n1/" names.csv >other.csv
fails 1 'cellsync --check other.csv --original=names.json'

# JSON lines that are cut off: the message gives the size of the complete documents.
{ cat good.json; head -c 300 good.json; } >lines.jsonl
fails 1 'cellsync -q --salvage lines.jsonl'
good 'head -c $(wc -c <good.json) lines.jsonl | cmp - good.json'

# A line of another kind is counted.
{ cat good.json; echo '{"data":[]}'; echo '{}'; } >mixed.jsonl
warned mixed.jsonl

# A full disk is not a changed input.
use otel/fine.jsonl.gz
fails 1 'cellsync -q fine.jsonl.gz --to=otlp -o /dev/full'

# What cannot be read.
otlp "$(host a "$(span 1 '' 3 NaN 1)")" '' | sed 's/"NaN"/NaN/' >nan.json
otlp "$(host a "$(span 1 '' 3 soon 1)")" "$(host b "$server")" >word.json
otlp "$(host a "$(span 1 '' 3 99999999999999999999 1)")" "$(host b "$server")" >huge.json
otlp "$(host a "$client")" "$(host b "$server")" | sed 's/"n1"/"\xff\xfe"/' >utf8.json
otlp "$(host a "$client")" "$(host b "$server")" | head -c 300 >cut.json
otlp "$(host a "$client")" "$(host b "$server")" | sed 's/0000000000000001/zz/' >id.json
{ echo '{"resourceSpans":'; head -c 2000 /dev/zero | tr '\0' '['; } >deep.json
printf '{"resourceSpans":[]}' >none.json
printf '{"name":"x","version":"1.0","scripts":{}}' >package.json
printf '{}' >empty.json
printf '[{"traceId":"1","id":"2","timestamp":9000000000000000,"duration":9000000000000000}]' >long.json
for file in nan word huge utf8 cut id deep none package empty long; do
    fails 1 "cellsync -q $file.json"
done
fails 1 'cellsync -q good.json missing.json'
printf '[{"traceId":"1","id":"2","timestamp":9,"duration":1}]' >zipkin.json
fails 1 'cellsync -q good.json zipkin.json'
