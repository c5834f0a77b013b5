# A chain of threads, none of which has records throughout: the statistics take longer, and -v says so.
awk 'BEGIN {
    print "thread,time"
    for (i = 0; i < 400; i++) {
        print "t" i "," 10 * i
        if (i > 0)
            print "t" i - 1 "," 10 * i + 5
    }
}' >chain.csv
good 'cellsync -v --no-sandbox chain.csv -r report.txt && sed -n 11,18p report.txt'
good 'cellsync -v --no-sandbox --engine=dense chain.csv -r dense.txt && cmp report.txt dense.txt'
