# Figures over all pairs that would take too many steps: clocks of a partial order that hear from
# their neighbours on a ring, and from one far away.
one_rate
awk 'BEGIN { n = 20000; print "# order=partial\nthread,time,send,recv"
    for (c = 0; c < n; c++) {
        next_one = (c + 1) % n; last_one = (c + n - 1) % n
        far_to = c * 7919 % n; far_from = c * 17679 % n
        print "c" c "," c % 101 "," c "-" next_one ","
        print "c" c "," c % 101 "," c "-" last_one ","
        print "c" c "," c % 101 "," c "-" far_to ".far,"
        print "c" c "," c % 101 + 1000 ",," last_one "-" c
        print "c" c "," c % 101 + 1000 ",," next_one "-" c
        print "c" c "," c % 101 + 1000 ",," far_from "-" c ".far" } }' >t.csv
good 'cellsync t.csv -r r.txt'
good 'head -15 r.txt'
good 'cellsync -q t.csv --statistics=auto -r r.json --pairs=none'
good 'grep "\"summary\"" r.json'
good 'cellsync -q t.csv -r r.html'
good 'grep -a -o "How well the .* all pairs\|<li>all clocks run [^<]*" r.html'
good 'grep -a "not computed:" r.html'
good 'cellsync -q t.csv --table'
good 'cellsync -q t.csv --table --report-format=csv'
good 'cellsync -q t.csv --report-format=tex | grep -a -e "^.texttt" -e "not computed"'

# Others are computed; what is written is the same.
printf '# order=partial\nthread,time,send,recv\nA,0,m,\nB,105,,m\nB,110,n,\nA,20,,n\n' >t.csv
good 'cellsync t.csv -r auto.txt -o auto.csv'
good 'cellsync t.csv -r all.txt -o all.csv --statistics=all'
good 'cmp auto.txt all.txt'
good 'cmp auto.csv all.csv'

fails 2 'cellsync t.csv --statistics=some'
fails 2 'cellsync t.csv --statistics=all --method=lsq'
fails 2 'cellsync --check t.csv --statistics=all'
