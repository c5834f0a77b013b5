# Traces in partial order: what is refused, and what reports say of them.
partial()
{
    { echo '# order=partial'; cat; } >t.csv
}

# The order is said in a comment.
printf '# order=total\nthread,time\nA,1\n' >t.csv
fails 1 'cellsync t.csv'
printf '# order=buffer\n# order=partial\nthread,time\nA,1\n' >t.csv
fails 1 'cellsync t.csv'
printf '# order: partial\nthread,time\nA,1\n' >t.csv
good 'cellsync t.csv -r /dev/null'
printf '# Order=partial\nthread,time\nA,1\n' >t.csv
good 'cellsync t.csv -r /dev/null'
printf '# order=buffer\nthread,time,send,send,latency\nA,1,x,y,no\n' >t.csv
good 'cellsync t.csv -r /dev/null'

# --latency is for messages of such a trace.
fails 2 'cellsync t.csv --latency=5'
fails 2 'cellsync t.csv --latency=-1'
fails 2 'cellsync t.csv --latency=fast'
fails 2 'cellsync t.csv --columns=send=x'
