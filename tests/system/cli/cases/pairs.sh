# --pairs: which pairs the CSV and JSON reports list; the summaries stay as they are.
use good/rich.pex good/rich.trace good/unbounded.pex good/unbounded.trace samples/switches.pex samples/switches.trace
use samples/jitter.pex samples/jitter.trace samples/one-sided.csv

for choice in all live reference none; do
    good "cellsync --report-format=csv --pairs=$choice rich.pex"
    good "cellsync -q --report-format=csv --pairs=$choice --reference=spe1.1 unbounded.pex"
    good "cellsync --report-format=json --pairs=$choice rich.pex | sed -n '/\"summary\"/p; /\"pairs_listed\"/,\$p'"
done

# listed FILE OPTIONS: `live` lists as many pairs as the summary counts, `reference` one for each thread but one;
# both are lines of `all`, in its order.
listed()
{
    cellsync -q "$@" --pairs=all -r all.csv
    for choice in live reference; do
        cellsync -q "$@" --pairs=$choice -r $choice.csv
        cellsync -q "$@" --pairs=$choice -r $choice.json
        awk 'NR == FNR { wanted[$0]; next } $0 in wanted' $choice.csv all.csv | cmp - $choice.csv ||
            complain "$*: $choice is not a part of all"
        [ "$(grep -c '"lower_ticks"' $choice.json)" -eq $(($(wc -l <$choice.csv) - 1)) ] ||
            complain "$*: the CSV and the JSON list other pairs"
    done
    live=$(sed -n 's/.*"live": {"pairs": \([0-9]*\),.*/\1/p' live.json)
    threads=$(grep -c '"name": .*"kind": "' live.json)
    [ $(($(wc -l <live.csv) - 1)) -eq "$live" ] || complain "$*: the summary counts $live live together"
    [ "$(wc -l <reference.csv)" -eq "$threads" ] || complain "$*: not every thread has the reference"
    echo "$*: $threads threads, $live pairs live together, $(($(wc -l <all.csv) - 1)) in all"
}
for file in rich.pex unbounded.pex switches.pex one-sided.csv jitter.pex; do
    for how in --engine=sweep --engine=dense --delta=15/2; do
        listed $how $file
    done
done
listed --relax=paper jitter.pex
listed --reference=spe1.1 switches.pex

# A chain of more threads than by default are listed in all pairs: those that are, one in a hundred.
awk 'BEGIN {
    print "thread,time"
    for (i = 0; i < 2049; i++) {
        print "t" i "," 10 * i
        if (i > 0)
            print "t" i - 1 "," 10 * i + 5
        if (i % 100 == 0)
            print "ppe," 10 * i + 7
    }
}' >chain.csv
good 'cellsync -r chain.json chain.csv && grep -c "\"s\": " chain.json && grep pairs_listed chain.json'
good 'cellsync -q -r - --report-format=csv chain.csv | sed -n "1,4p; \$p"'
sed '/^t204[78],/d' chain.csv >shorter.csv
good 'cellsync -r - --report-format=csv shorter.csv | wc -l'
good 'cellsync --pairs=none -r chain.csv.json chain.csv && tail -n 3 chain.csv.json'

fails 2 'cellsync --pairs=some -r out.csv rich.pex'
fails 2 'cellsync --pairs= -r out.csv rich.pex'
fails 2 'cellsync --pairs=all rich.pex'
fails 2 'cellsync --pairs=live -r out.txt rich.pex'
fails 2 'cellsync --pairs=live -r out.csv --report-format=text rich.pex'
fails 2 'cellsync --pairs=live -o out.csv rich.pex'
fails 2 'cellsync --check --pairs=live rich.pex'
