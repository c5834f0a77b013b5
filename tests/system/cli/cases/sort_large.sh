# Rows beyond the memory for sorting go to a temporary file, which the sandbox permits.
awk 'BEGIN { print "# order=partial\nthread,time_us,send,recv"
             for (i = 0; i < 150000; i++) printf "a,%d,message-%d,\nb,%d,,message-%d\n", i, i, i + 9, i }' >large.csv
good 'cellsync -q large.csv --sort -o sorted.csv -r report.txt'
good 'tail -n +5 sorted.csv | awk -F, '\''NR > 1 && $5 < last { print "not sorted at " $0; exit 1 } { last = $5 }'\'
good 'wc -l <sorted.csv'
rm -f large.csv sorted.csv report.txt
