# Every file of testdata/bad: the message says what is wrong and where, and nothing is written.
cp "$DATA"/bad/* .
good 'cellsync good.pex -r /dev/null'
fails 1 'cellsync good.trace'

# The same with outputs asked for: old ones stand.
for name in out.pex out.trace out.csv report.json; do
    echo "old $name" >"$name"
done
for file in *.pex *.csv; do
    case $file in good.pex | out.*) continue ;; esac
    fails 1 "cellsync $file"
    message=$(cat "$tmp/err")
    fails 1 "cellsync $file -o out.${file##*.} -r report.json" 2>/dev/null
    [ "$(cat "$tmp/err")" = "$message" ] || complain "another message with outputs: $file"
    fails 1 "cellsync --check $file" 2>/dev/null
    [ -s "$tmp/err" ] || complain "no message of --check: $file"
done
