# Bad inputs that are too large, or too strange, to be committed.
use good/embedded.pex good/rich.trace

# repeat N TEXT
repeat()
{
    awk -v n="$1" -v text="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%s", text }'
}

# A row may have 1048576 bytes.  An unterminated quote is told apart from a row that is too long only
# as long as it fits.
{
    printf 'thread,time,note\nT1,0,\nT1,1,'
    repeat 1048571 x
    printf '\n'
} >longest.csv
good 'cellsync -r /dev/null longest.csv'
sed '3s/$/x/' longest.csv >longer.csv
fails 1 'cellsync longer.csv'
sed '3s/x/"/' longest.csv >quoted.csv
fails 1 'cellsync quoted.csv'
printf '\n' >>quoted.csv
cat longest.csv longest.csv >>quoted.csv
fails 1 'cellsync quoted.csv'
{
    repeat 20000 '# a comment of fifty-three bytes, its line end included
'
    printf 'thread,time\nT1,0\n'
} >comments.csv
fails 1 'cellsync comments.csv'

# The document before the records: 256 MiB.
large_document()
{
    sed '$d' embedded.pex | tr -d '\0'
    repeat 4194304 '<!-- a comment of sixty-four bytes, its own line end included-->'
    printf '</pdt_trace>\n'
}
fails 1 'large_document | cellsync -'

# More threads than there is memory for: altogether, or live at once.
awk 'BEGIN { print "thread,time"; for (i = 0; i < 2 * 8193; i++) printf "t%d,%d\n", i % 8193, i }' >threads.csv
fails 1 'cellsync -o out.csv threads.csv'
fails 1 'cellsync -o out.csv threads.csv --engine=dense'
fails 1 'cellsync -o out.csv threads.csv --relax=paper'

# What is no file, or not there.
mkdir folder
mkfifo fifo.trace
fails 1 'cellsync nowhere.pex'
fails 1 'cellsync nowhere/trace.pex'
fails 1 'cellsync folder'
fails 1 'cellsync embedded.pex/x'
fails 1 'cellsync ""'
fails 1 'cellsync /dev/null'
sed 's/<trace_file/& href="fifo.trace"/' embedded.pex | tr '\0' '\n' | sed '/^PDT/,$d' >fifo.pex
fails 1 'cellsync fifo.pex'

# A folder that is no run, but has an archive in it.
mkdir archive && : >archive/b.otf2 && : >archive/a.otf2
fails 1 'cellsync archive'
fails 1 'cellsync archive/'
