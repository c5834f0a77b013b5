# How far a clock reads ahead of the reference: ranges are rounded outward, in a unit and with digits that fit them.
one_rate
csv()
{
    printf '# order=partial\n%s\nthread,time,send,recv\n' "$1"
    shift
    printf '%s\n' "$@"
}
lines()
{
    good "cellsync -q $* | sed -n '/^clock /,/^\$/p'"
}

# The true difference of B and A is 51,006 us, and messages take 2 us.
csv '# timebase_hz=1000000' A,0,m, B,51008,,m B,51100,n, A,96,,n >ahead.csv
lines ahead.csv
lines ahead.csv --reference=B
lines ahead.csv --delta=1/2 --reference=B
lines ahead.csv --drift=101
lines ahead.csv --method=lsq
lines ahead.csv --method=lamport
good "cellsync -q ahead.csv -r - --report-format=json | grep -o '\"difference.*, \"members'"
good "cellsync -q ahead.csv --drift=101 --delta=1/2 -r - --report-format=json | grep -o '\"difference[^}]*'"

# The range may reach to both sides, have one end only, be one value, or be open. C tells nothing.
csv '# timebase_hz=1000000000' A,0,m, B,900,,m B,1000,n, A,1300,,n C,7,, >both.csv
lines both.csv --reference=A
csv '# timebase_hz=1000000000' A,0,m, B,900,,m >least.csv
lines least.csv --reference=A
lines least.csv --reference=B
csv '# timebase_hz=1000000000' A,1000,m, B,900,,m >most.csv
lines most.csv --reference=A
lines most.csv --reference=B
csv '# timebase_hz=14318000' A,0,m, B,5,,m B,5,n, A,0,,n >exact.csv
lines exact.csv --reference=A

# Ticks of no known length; a long difference; a name that is escaped; many clocks.
csv '#' A,0,m, B,5,,m B,5,n, A,2,,n >ticks.csv
lines ticks.csv
good "cellsync -q ticks.csv -r - --report-format=json | grep -o '\"difference.*, \"members'"
printf '# order=partial\nthread,time,send,recv\nA,2026-01-01T00:00:00.000Z,m,\n"B\033",2026-03-01T00:00:00.500Z,,m\n' >dates.csv
printf '"B\033",2026-03-01T00:00:00.500Z,n,\nA,2026-01-01T00:00:00.001Z,,n\n' >>dates.csv
lines dates.csv --reference=A
(csv '# timebase_hz=1000' && for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19; do echo "T$i,$i,,"; done) >many.csv
lines many.csv

# Messages go one way only: one end of the range is known, and JSON has the other as null.
csv '# timebase_hz=1000000' A,0,m, B,900,,m A,100000,n, B,100905,,n >one_way.csv
lines one_way.csv --reference=A
lines one_way.csv --reference=A --drift=101 --delta=1/2
good "cellsync -q one_way.csv --reference=B --drift=101 -r - --report-format=json | grep -o '\"difference_l[^}]*' | head -n 1"

# Decrementers of a Cell are not compared.
use demo.pex demo.trace
good "cellsync -q demo.pex | grep -c '^clock' || :"
