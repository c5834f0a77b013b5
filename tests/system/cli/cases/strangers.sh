# CSV files as people would write them: each works, or one line says what would, and that works.
cp "$DATA"/strangers/*.csv .

# As they are.
for file in dated-log excel pandas microcontroller spans again; do
    good "cellsync $file.csv -o -"
    good "cellsync -q $file.csv | head -n 3"
done
good 'cellsync -q pandas.csv -o - --to=json | grep "\"ph\":\"X\",\"cat\":\"row\""'
good 'cellsync -q spans.csv -o - --to=json | grep "\"ph\":\"X\",\"cat\":\"row\""'

# After one line that says how.
advised()
{
    fails 1 "cellsync $1.csv"
    [ "$(wc -l <"$tmp/err")" -eq 1 ] || complain "not one line: $1"
    good "$2"
}
advised float-seconds 'cellsync -q --time-unit=s float-seconds.csv -o -'
advised excel-unicode 'iconv -f UTF-16 -t UTF-8 excel-unicode.csv | cellsync -q - -o -'
advised no-header '(printf "thread,time_s,x3\n"; cat no-header.csv) | cellsync -q - -o -'
advised two-hosts 'cellsync -q --columns=thread=tid,clock=host two-hosts.csv -o -'
advised own-words 'cellsync -q --columns=thread=unit,time=elapsed_ms,event=what own-words.csv -o -'
advised cores 'cellsync -q --columns=core= cores.csv -o -'
advised spaces 'tr -s " " , <spaces.csv | cellsync -q - -o -'

# Threads of two hosts with one number are two threads, on two clocks.
good 'cellsync -q --columns=thread=tid,clock=host two-hosts.csv | sed -n 3p'
good 'cellsync -q --columns=thread=tid,clock=host two-hosts.csv -r - --report-format=json | grep members'
good 'cellsync -q --columns=thread=tid,clock=host two-hosts.csv -o - --to=json | grep -e _name -e live'

# A column of another name may end in its unit.
printf 'stamp [us],who\n1000.5,a\n1002,b\n' >units.csv
good 'cellsync -q --columns=time="stamp [us]",thread=who units.csv -o units-synced.csv && cellsync --check units-synced.csv'
fails 2 'cellsync --columns=time="stamp [us]",thread=who --time-unit=ms units.csv'
