# Tables in Markdown: of traces, and of cellstat. Names cannot begin a block, a link, a cell, or HTML.
one_rate
use samples/plain.pex samples/plain.trace samples/jitter.pex samples/jitter.trace samples/one-sided.csv demo.pex demo.trace
good 'cellsync -q plain.pex one-sided.csv --report-format=md'
good 'cellsync plain.pex jitter.pex -r t.md && cat t.md'
good 'cellsync -q --unit=us jitter.pex -r - --report-format=md | head -n 3'
good 'cellstat concurrency demo.pex --format=md'
good 'cellstat states -q demo.pex --window=#100..#500 --sort=absent --top=2 --time=us -o s.md && cat s.md'
good 'cellstat summary -q demo.pex --format=md | grep "^#"'
good 'cellstat timeline -q demo.pex --units=spe --format=md | sed -n "/activity/,\$p" | head -n 6'
good 'cellstat states -q demo.pex --section=MUTEX_LOCK#1-2 --format=md | grep "^#"'
mkdir 'a|b'
printf '# timebase_hz=1000\nthread,time,event,routine\n`a|b`,0,ENTER,<b>*x*_y_</b>\n"1. ""[l](u)""",1000,ENTER,\\x41 & $m$ ~~s~~\n`a|b`,10,EXIT,\n"1. ""[l](u)""",1010,EXIT,\n' >'a|b/# *x*.csv'
good 'cellstat profile -q "a|b/# *x*.csv" --format=md'
printf '# timebase_hz=1000\nthread,time,event,routine\n\303\251\342\200\256,0,ENTER,\360\237\230\200\377\nb,1000,MARK,\n\303\251\342\200\256,10,EXIT,\n' >utf8.csv
good 'cellstat profile -q utf8.csv --format=md | sed -n "6,8p" | cut -d "|" -f 2,5'
good 'cellsync -q "a|b/# *x*.csv" --report-format=md'
fails 1 'cellsync plain.pex nowhere.pex -r old.md'
fails 2 'cellsync plain.pex --report-format=md --pairs=all'
fails 2 'cellstat calls demo.pex --format=markdown'
