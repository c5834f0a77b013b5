# --drop: records that ask for most delta are left out, are listed, and --check proves the rest.
use demo.pex demo.trace

# patch OFFSET OCTAL: a byte of the records changed.
patch()
{
    printf '%b' "\\0$2" | dd of=demo.trace bs=1 seek="$1" conv=notrunc status=none
}
good 'cellsync demo.pex -r - | sed -n "/^delta/,/^$/p"'
good 'cellsync demo.pex --drop=3 -r - | sed -n "/^delta/,/^$/p"'

# Three stamps of 65536 ticks before their places.
patch 7509 341
patch 14821 341
patch 22233 312
good 'cellsync demo.pex | sed -n "/^delta/,/^inversions/p"'
good 'cellsync demo.pex --drop=2 | sed -n "/^delta/,/^inversions/p; /^left/,/^$/p"'
good 'cellsync demo.pex --drop=3 | sed -n "/^delta/,/^$/p"'
good 'cellsync demo.pex --drop=3 --engine=dense --threads=1 -r dense.csv && cellsync -q demo.pex --drop=3 --engine=sweep -r sweep.csv && cmp dense.csv sweep.csv'
good 'cellsync -q demo.pex --drop=3 --report-format=json | sed -n "/delta_profile/,/\]\,$/p"'
good 'cellsync -q demo.pex --drop=3 --report-format=html | sed -n "/id=.left-out/,/section>/p"'
good 'cellsync -q demo.pex --drop=3 --report-format=json | grep warnings; cellsync -q demo.pex --drop=8 -o t.json && grep -o "\"warnings\":\[[^]]*\]" t.json'
good 'cellsync demo.pex --drop=8 --monotonic | sed -n "/^delta/,/^correction/p; /^left/,/^$/p"'

# What is written says which, and is proved without them.
good 'cellsync -q demo.pex --drop=3 -o synced.pex && grep -o " dropped=\"[^\"]*\"" synced.pex && cellsync --check synced.pex'
good 'cellsync -q demo.pex --drop=2 -o two.pex && cellsync --check two.pex'
good 'cellsync -q demo.pex --drop=8 --center=local -o local.pex && cellsync --check local.pex'
good 'cellsync -q demo.pex --drop=3 -o synced.csv && head -n 1 synced.csv && cellsync --check synced.csv'

# With strict unwrapping; in a graph, a CTF folder, and what sets a bound.
good 'cellsync -q demo.pex --drop=3 --unwrap=strict -o strict.pex && cellsync --check strict.pex'
good 'cellsync -q demo.pex --drop=3 --graph=- | grep -o "[0-9]* records are left out[^\"]*"'
good 'cellsync -q demo.pex --drop=3 -o ctf --to=ctf && grep -a "dropped_warning" ctf/metadata'
good 'cellsync -q demo.pex --drop=3 --explain=ppe,spe5.2 | grep "^g\["'

# Tables and lists of bounds say that some are left out.
good 'cellsync -q demo.pex --drop=3 --table'
good 'cellsync -q demo.pex --drop=3 --table -r - --report-format=csv | sed "s/.*,\(\([^,]*,\)\{6\}[^,]*\)$/\1/"'
good 'cellsync -q demo.pex --drop=3 -r - --report-format=tex | grep superscript'
good 'cellsync -q demo.pex --drop=3 -r - --report-format=csv | head -n 2'

# A CSV, of which a thousandth is early: the place is a line.
awk 'BEGIN { print "thread,time"; for (i = 0; i < 3000; i++) print "T" i % 3 "," 50000 * (i % 3) + 20 * i - (i % 1000 == 500) * 7000 * (1 + i) }' >early.csv
good 'cellsync early.csv --drop=30 -r - | sed -n "/^delta/,/^$/p"'
# Where few records ask for most, what to give --drop is said; not where that needs more, or was given.
good 'cellsync early.csv | sed -n "/^diagnosis/,/^$/p"'
good 'cellsync -q early.csv -r - --report-format=json | grep -o "\"advised\": [^,]*"; cellsync -q early.csv -r - --report-format=html | grep "leaves out few"'
good 'cellsync -q early.csv --drop=30 -r - --report-format=json | grep -o "\"advised\": [^,]*"'
good 'cellsync early.csv --drop=3 -r - | sed -n "/^delta/,/^$/p"'
awk 'BEGIN { print "thread,time"; for (i = 0; i < 3000; i++) print "T" i % 3 "," 50000 * (i % 3) + 20 * i - i * 7919 % 1009 }' >many.csv
good 'cellsync many.csv | sed -n "/^diagnosis/,/^$/p"'
awk 'BEGIN { print "thread,time"; for (i = 0; i < 3000; i++) print "T" i % 3 "," 50000 * (i % 3) + 20 * i - (i % 7 == 0) * (i * 7919 % 300) - (i % 400 == 50) * 9000 }' >both.csv
good 'cellsync both.csv | sed -n "/^diagnosis/,/^$/p"'
good 'cellsync -q early.csv --drop=30 -o early.out.csv && cellsync --check early.out.csv'
good 'cellsync -q early.out.csv --drop=30 -o again.csv && cmp early.out.csv again.csv'
good 'cellsync -q early.csv --drop=3 --monotonic -o m.csv && head -n 1 m.csv'

# edited FILE EXPRESSION: what it says changed.
edited()
{
    sed "$2" "synced.$1" >"edited.$1"
    ! cmp -s "synced.$1" "edited.$1" || complain "nothing changed: $2"
    printf '\n# %s\n' "$2" >&2
    fails 1 "cellsync --check edited.$1"
}
for dropped in '204 402' '204 402 604' '402 204 603' '204 204 402' '0 204' '204 402 603 ' '204  402' '' x \
    '204,402,603' '204 402 603 828' '28 204 402 603' '204 402 603 18446744073709551616' '204 402 603 700 701 702 703 704 705' '7 204 402 603'; do
    edited pex "s/dropped=\"[^\"]*\"/dropped=\"$dropped\"/"
done
edited pex 's/ dropped="[^"]*"//'
edited pex 's/relax="exact"/relax="paper"/'
for dropped in 204,402 204,402,604 402,204,603 0,204 204,402,603, 204,402,603,828 28,204,402,603 '204;402' ''; do
    edited csv "1s/dropped=[^ ]*/dropped=$dropped/"
done
edited csv '1s/ dropped=[^ ]*//'
edited csv '1s/relax=exact/relax=paper/'

# A record that contradicts nothing, and sets no bound, can be said to be left out, too: that is told.
good 'sed "s/dropped=\"[^\"]*\"/dropped=\"204 205 402 603\"/" synced.pex >forged.pex && cellsync --check forged.pex | head -n 1'
good 'sed "1s/dropped=[^ ]*/dropped=204,205,402,603/" synced.csv >forged.csv && cellsync --check forged.csv | head -n 1'

# More than 1 % are too many; others than an exact delta leave none out.
fails 2 'cellsync demo.pex --drop=9'
fails 2 'cellsync demo.pex --drop=0'
fails 2 'cellsync demo.pex --drop=-1'
fails 2 'cellsync demo.pex --drop=3/2'
fails 2 'cellsync demo.pex --drop=50001'
fails 2 'cellsync demo.pex --drop=3 --relax=paper'
fails 2 'cellsync demo.pex --relax=none --drop=3'
fails 2 'cellsync demo.pex --drop=3 --delta=3'
fails 2 'cellsync demo.pex --drop=3 --method=lsq'
fails 2 'cellsync --check synced.pex --drop=3'
