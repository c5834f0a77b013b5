# Every file of testdata/bad: the message says what is wrong and where, and nothing is written.
cp "$DATA"/bad/* .
good 'cellsync good.pex -r /dev/null'
fails 1 'cellsync good.trace'

# The same with outputs asked for: old ones stand.
for name in out.pex out.trace out.csv report.json; do
    echo "old $name" >"$name"
done
# One listing of the folder for all runs, as it takes longer than a run.
refused()
{
    run "$1"
    [ "$code" -eq 1 ] || complain "exit $code, want 1: $1"
    [ ! -s "$tmp/out" ] || complain "something on standard output: $1"
}
before=$($snapshot)
for file in *.pex *.csv; do
    case $file in good.pex | out.*) continue ;; esac
    refused "cellsync $file"
    told "cellsync $file"
    mv "$tmp/err" "$tmp/message"
    refused "cellsync $file -o out.${file##*.} -r report.json"
    cmp "$tmp/err" "$tmp/message" || complain "another message with outputs: $file"
    refused "cellsync --check $file"
    [ -s "$tmp/err" ] || complain "no message of --check: $file"
done
[ "$before" = "$($snapshot)" ] || complain 'files have changed'
