# cellstat --actors: what is left where only some of the actors are asked for.
use demo.pex demo.trace order/messages.pex order/messages.trace
pdtsim -o lb.pex --workload=lb:rounds=1 --nodes=2 --spes=4
# Rows of actors are those of the whole table; all is the sum of these.
good 'cellstat states -q demo.pex --actors="spe[12],tid*"'
good 'cellstat states -q demo.pex --format=csv | grep -E "^actor,(spe[12]|tid)" >all && cellstat states -q demo.pex --actors="spe[12],tid*" --format=csv >some && grep ^actor some | cmp - all'
good 'awk -F, "/^actor/ { user += \$3; blocked += \$18 } /^all/ { print user - \$3, blocked - \$18 }" some'
good 'for o in "--actors=spe?" "--actors=spe1,tid* --pairs" "--actors=tid* --window=25%..75%"; do cellstat states -q demo.pex $o --format=csv | cut -d, -f1,2 | tr "\n" " "; done'
good 'cellstat states -q demo.pex --actors=spe2 --joint --format=csv | tail -n 4'
good 'cellstat states -q messages.pex --actors=tid*'
# How many executed at once is as concurrency has it of the same.
good 'cellstat states -q demo.pex --actors="spe[2-5]" --format=csv | sed "1,/^executing/d" >levels && cellstat concurrency -q demo.pex --actors="spe[2-5]" --format=csv | sed "1d;/^\$/,\$d" | cut -d, -f1-4,8-11,13 | cmp - levels && grep -c . levels'
# Of all that waited each is somebody's, and so is what holds a lock.
good 'cellstat sync -q demo.pex --actors=spe1,tid*'
good 'for a in spe[1-4] spe[5-8] "tid*"; do cellstat sync -q demo.pex --actors="$a" --format=csv; done | awk -F, "/^[a-z]+,[^,]*,[0-9]+,[0-9]+,[0-9]+,[0-9]+,[0-9]*\$/ { n[\$1 \$2] += \$3; t[\$1 \$2] += \$4 } END { for (i in n) print i, n[i], t[i] }" | sort >sums; cat sums'
good 'cellstat sync -q demo.pex --format=csv | awk -F, "/^[a-z]+,[^,]*,[0-9]+,[0-9]+,[0-9]+,[0-9]+,[0-9]*\$/ { print \$1 \$2, \$3, \$4 }" | sort | cmp - sums'
good 'cellstat sync -q demo.pex --format=csv | sed -n "/^object/,/^\$/p" | grep -E ",(spe1|tid[0-9]*)," | cut -d, -f1-6 >all && cellstat sync -q demo.pex --actors=spe1,tid* --format=csv | sed -n "/^object/,/^\$/p" | grep -E ",(spe1|tid[0-9]*)," | cut -d, -f1-6 | cmp - all'
good 'cellstat sync -q lb.pex --format=csv | grep ^MPI >all && cellstat sync -q lb.pex --actors=spe3 --format=csv | grep ^MPI | cmp - all'
good 'cellstat sync -q lb.pex --drift=0 --delta=least --actors=spe3 --window=25%..75% | tail -n +6'
# What these did is what the whole has of them, and so many of them were active.
good 'cellstat timeline -q demo.pex --actors="spe[13],tid*" --bins=30'
good 'cellstat timeline -q demo.pex --bins=30 --format=csv | grep -E "^(spe[13]|tid)" >all && cellstat timeline -q demo.pex --actors="spe[13],tid*" --bins=30 --format=csv | grep -E "^(spe|tid)" | cmp - all'
good 'for a in "spe[1357]" "spe[2468]" "spe*"; do cellstat timeline -q demo.pex --actors="$a" --bins=7 --format=csv | grep "^[0-9]" | cut -d, -f3 >$a.csv; done; paste -d" " "spe[1357].csv" "spe[2468].csv" "spe*.csv" | awk "{ off = \$3 - \$1 - \$2; print (off == 0 || off == 1) }" | sort | uniq -c | tr -s " "'
# A summary has what each question says of them.
good 'cellstat -q lb.pex --drift=0 --delta=least --actors=spe1,spe2 | sed -n "/^what  *name/,\$p"'
good 'cellstat -q lb.pex --drift=0 --delta=least --actors=spe1 -o s.csv; for verb in concurrency timeline states comm latency sync; do cellstat $verb -q lb.pex --drift=0 --delta=least --actors=spe1 --format=csv >c.csv && echo $verb $(grep -c . c.csv) rows, $(grep -vcxFf s.csv c.csv) others; done'
good 'cellstat -q demo.pex --actors=tid* | tail -n 3'
fails 2 'cellstat states demo.pex --actors=nobody'
fails 2 'cellstat sync demo.pex --actors=nobody'
fails 2 'cellstat sync messages.pex --actors=nobody --window=25%..'
fails 2 'cellstat timeline demo.pex --actors="spe[9],"'
fails 2 'cellstat demo.pex --actors=nobody'
fails 2 'cellstat order demo.pex "#1" "#2" --actors=spe1'
