# The drawings of the HTML report as SVG files in a folder: what is in it, and what it may replace.
one_rate
use samples/paper.csv samples/plain.pex samples/plain.trace good/rich.pex good/rich.trace
good 'cellsync paper.csv --figures=out && ls -A out && head -n 5 out/pairs.svg && grep -c "<rect" out/*.svg'
# What bounds rest on is told by each, in lines that are not too long, and in words for who cannot see it.
good 'for f in out/*.svg; do sed -n "/<desc/,/<.desc/p;/class=.small. x=.0./p" "$f"; done'
good 'grep -l -e "var(" -e "prefers-color" -e "<script" -e "href" out/*.svg || echo none'
good 'cellsync paper.csv --figures=slash/ --threads=1 && diff -r out slash'
good 'cellsync paper.csv --figures=more -r page.html -o synced.csv --graph=g.dot && ls && diff -r out more'
good 'cellsync plain.pex --figures=out/// && grep -c spe4.1 out/intervals.svg'
good 'mkdir empty && ln -s empty link && cellsync paper.csv --figures=link && diff -r empty slash && ls -d link'
good 'printf "thread,time\\na,1\\n" | cellsync - --figures=one && ls -A one'

# Messages, by raw timestamps and in global time; of a trace with none, or of one clock, there is no such file.
use sockets.csv
shown()
{
    sed -n 's/<text class="[^m]*"[^>]*>\(.*[ a-z].*\)<.text>/\1/p
        s/<path class="\(passage\|backward\)".*<title>\(.*\)<.title>.*/  \1: \2/p' "$1/messages.svg"
}
good 'cellsync -q sockets.csv --figures=hosts && shown hosts'
good 'cellsync -q sockets.csv --drift=101 --delta=1/2 --figures=drift && ls -A drift && shown drift'
good 'cellsync -q sockets.csv --figures=again --threads=1 && diff -r hosts again'
good 'printf "# order=partial\nclock,thread,time,send,recv\nc,a,1,m,\nc,b,2,,m\n" | cellsync -q - --delta=1/2 --figures=one-clock && ls -A one-clock'

# Any other folder stands, and so does a file, and so does what is not ours by its first bytes.
mkdir notes deep
echo note >notes/note
fails 1 'cellsync paper.csv --figures=notes'
mkdir deep/pairs.svg
fails 1 'cellsync paper.csv --figures=deep'
cp -r slash own
echo '<svg/>' >own/legend.svg
fails 1 'cellsync paper.csv --figures=own -o not.csv'
good 'cat own/legend.svg; ls not.csv 2>/dev/null || echo nothing was written'
fails 1 'cellsync paper.csv --figures=page.html'
fails 1 'cellsync rich.pex --figures=rich.trace'
fails 1 'cellsync paper.csv --figures=no/where'

# What is refused.
fails 2 'cellsync paper.csv --figures=-'
fails 2 'cellsync paper.csv --figures=same -o ./same --to=csv'
fails 2 'cellsync paper.csv --figures=same -r ./same'
fails 2 'cellsync paper.csv --figures=same --graph=same'
fails 2 'cellsync paper.csv plain.pex --figures=out'
fails 2 'cellsync --method=lsq plain.pex --figures=out'
fails 2 'cellsync --check plain.pex --figures=out'
