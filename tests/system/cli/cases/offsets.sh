# --offsets: measured offsets between clocks, in a file of their own.
printf '# order=partial\nthread,time_us,event,send,recv\nA,100,x,,\nA,1900,y,,\nB,51600,x,,\nB,53400,z,,\n' >t.csv
printf 'clock,begin,time_us,other_clock,other_time,within\nA,1080,1100,B,51590,\n' >ntp.csv
good 'cellsync -q t.csv --offsets=ntp.csv --delta=least | sed -n "/^order/p; /^bounds/p; /^clock B/,/^  and/p"'
good 'cellsync t.csv --offsets=ntp.csv -o synced.csv && head -n 1 synced.csv'
good 'cellsync --check synced.csv --offsets=ntp.csv | head -n 1'
fails 2 'cellsync --check synced.csv'
printf 'clock,begin,time_us,other_clock,other_time,within\nA,1080,1100,B,51591,\n' >other.csv
fails 1 'cellsync --check synced.csv --offsets=other.csv'
good 'cellsync -q t.csv -o plain.csv'
fails 2 'cellsync --check plain.csv --offsets=ntp.csv'
good 'cellstat comm -q t.csv --offsets=ntp.csv | grep "^bounds" || :'

# Two that contradict each other.
printf 'A,1200,1300,B,53000,\n' >>ntp.csv
good 'cellsync -q t.csv --offsets=ntp.csv --delta=least | sed -n "/^witness/,/^diagnosis/p"'
fails 3 "cellsync -q t.csv --offsets=ntp.csv --delta=1"

# Times in ticks are those of the trace; others are converted, and rounded so that they stay true.
cp -r "$DATA"/otf2 .
printf 'clock,time,other_clock,other_time,within\nRank 1,1050,Rank 0,500,10\n' >ticks.csv
printf 'clock,time_us,other_clock,other_time,within\nRank 1,1.050,Rank 0,0.500,0.010\n' >us.csv
good 'cellsync -q otf2/traces.otf2 --offsets=ticks.csv | sed -n "/^order/p; /^clock Rank 1/p"'
good 'cellsync -q otf2/traces.otf2 --offsets=us.csv | sed -n "/^order/p; /^clock Rank 1/p"'
good 'cellsync -q otf2/traces.otf2 --offsets=us.csv --drift=10 -o synced.csv && cellsync --check synced.csv --original=otf2/traces.otf2 --offsets=ticks.csv | head -n 1'
good 'cellsync -q otf2/traces.otf2 --offsets=us.csv --to=otf2 -o synced && cellsync --check synced/traces.otf2 --offsets=us.csv | head -n 1'
good 'printf "# timebase_hz=3\n# order=partial\nthread,time,event\nA,1,x\nB,2,y\n" >thirds.csv; printf "clock,time_us,other_clock,other_time\nA,500000,B,700000\n" >us.csv
cellsync -q thirds.csv --offsets=us.csv --drift=0 --delta=least | grep "^clock B"'

# A reading does not show the segment of a clock that was set.
fails 2 'cellsync -q t.csv --offsets=ntp.csv --steps=2'

# What is wrong with a file.
bad()
{
    printf "$1" >bad.csv
    fails "$3" "cellsync -q $2 --offsets=bad.csv"
}
bad 'clock,time,other_clock,other_time\nA,1,C,2\n' t.csv 1
bad 'clock,time,other_clock,other_time\nC,1,A,2\n' t.csv 1
bad 'clock,time,other_clock,other_time\nA,1,A,2\n' t.csv 1
bad 'clock,time,other_clock,other_time\nA,1,,\n' t.csv 1
bad 'clock,time,other_clock,other_time\nA,1,B,\n' t.csv 1
bad 'clock,time,other_clock,other_time\nA,1,B,x\n' t.csv 1
bad 'clock,time,other_clock,other_time,within\nA,1,B,2,-1\n' t.csv 1
bad 'clock,begin,time,other_clock,other_time\nA,2,1,B,2\n' t.csv 1
bad 'clock,time,other_clock,other_time\nA,1,B,4000000000000000000\n' t.csv 1
bad 'clock,time\nA,1\n' t.csv 1
bad 'thread,time,other_clock,other_time\nA,1,B,2\n' t.csv 1
fails 1 'cellsync -q t.csv --offsets=gone.csv'
use two.csv
fails 2 'cellsync -q two.csv --offsets=ntp.csv'
printf '# order=partial\nthread,time,event\nA,1,x\nB,2,y\n' >ticks.csv
fails 1 'cellsync -q ticks.csv --offsets=ntp.csv'
