# The HTML report: a whole page, what chooses it, names that are markup, and what cannot be written.
one_rate
use samples/paper.csv good/rich.pex good/rich.trace
cat >names.csv <<'CSV'
# timebase_hz = 1000
thread,time
ppe,0
"<b onload=""x"">&amp;</b>",3
"line
end '\x'",5
ppe,10
CSV
printf '\033[31m\351\342\200\256,20\nppe,30\n' >>names.csv

good 'cellsync paper.csv -r page.html'
good 'cat page.html'
good 'cellsync paper.csv -r page.htm && cmp page.htm page.html'
good 'cellsync paper.csv -r - --report-format=html | cmp - page.html'
good 'cellsync paper.csv -r page.txt --report-format=html && cmp page.txt page.html'
good 'cellsync -q names.csv -r - --report-format=html | sed "1,/<main>/d; /<h2>Where/,/of pairs<.h2>/d"'

# Whiskers are no longer than the lines, even where bounds are wider than the trace is long.
good 'cellsync --delta=9223372036854775807/999999 paper.csv -r - --report-format=html | grep "class=.whisker"'

# It lists no pairs, and has bounds.
fails 2 'cellsync paper.csv -r - --report-format=htm'
fails 2 'cellsync --pairs=all paper.csv -r page.html'
fails 2 'cellsync --method=lsq paper.csv -r page.html'
good 'cellsync --measure rich.pex -r - --report-format=html | grep Damage'
fails 1 'cellsync paper.csv -r nowhere/page.html'
fails 1 'cellsync paper.csv -r - --report-format=html >/dev/full'
ln -s rich.trace link.html
fails 1 'cellsync rich.pex -r link.html'

printf '# order=partial\nthread,time_ns,send,recv\na,0,m,\na,9,,n\nb,4,,m\nb,5,n,\n' >after.csv
good 'cellsync -q after.csv -r - --report-format=html | grep "class=.why" | sed "s/.*class=.why/why/"'
