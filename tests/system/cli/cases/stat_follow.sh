# Malony's questions 3 and 4 (1.5.2), with answers worked out by hand; 1 and 2 are in stat_profile.
# Of each routine: calls, direct and cumulative time, calls and time of descendants; then elapsed time
# in itself and with what it called, overlap, and how many were in it at once.
cat >events.xml <<'XML'
<events version="1"><recordType name="FORK" role="create"/></events>
XML
cat >figures.awk <<'AWK'
NF == 17 { print $1, $4, $8, $9, $16, $17 }
NF == 9 { print $1, $2, $3, $4, $9 }
AWK
ask()
{
    good "cellstat profile -q $1 --events=events.xml --sort=routine | awk -f figures.awk"
}
# 3. A caller and its callee execute at once: A runs from 0 to 10, and at 2 creates a task, whose B runs
# from 3 to 14.  Direct time is 10 and 11, each by its own clock.  A's own cumulative time is 10, in 10
# of elapsed time.  With what it created it is CPU time of 10 + 11 = 21, of which 11 are its descendant's,
# in an elapsed time of 14, from 0 to 14: overlap 7, from 3 to 10, while two were in it.
cat >three.csv <<'CSV'
thread,clock,time,event,routine,task
main,cedar,0,ENTER,A,
main,cedar,2,FORK,,work
work,cedar,3,ENTER,B,
main,cedar,10,EXIT,A,
work,cedar,14,EXIT,B,
CSV
ask three.csv
ask 'three.csv --follow=create'
# 4. Callees of one caller overlap, different or the same: A runs from 0 to 4 and creates two tasks, one
# whose B runs from 2 to 8 and one whose C runs from 5 to 11; B calls D from 3 to 6, C calls D from 5 to
# 10.  Of A's descendants the CPU time is the sum, (8 - 2) + (11 - 5) = 12, in 4 calls, D's time being in
# B's and C's: cumulative 4 + 12 = 16.  Its elapsed time is the union, from 0 to 11: overlap 5, which is
# 2 from 2 to 4 and 3 from 5 to 8; at no time are three in it.  D's time is 3 + 5 = 8 in 7, from 3 to
# 10: overlap 1.  B's direct time is 6 - 3 = 3, C's 6 - 5 = 1.
cat >four.csv <<'CSV'
thread,clock,time,event,routine,task
main,cedar,0,ENTER,A,
main,cedar,1,FORK,,left
left,cedar,2,ENTER,B,
left,cedar,3,ENTER,D,
main,cedar,4,FORK,,right
main,cedar,4,EXIT,A,
right,cedar,5,ENTER,C,
right,cedar,5,ENTER,D,
left,cedar,6,EXIT,D,
left,cedar,8,EXIT,B,
right,cedar,10,EXIT,D,
right,cedar,11,EXIT,C,
CSV
ask four.csv
ask 'four.csv --follow=create'
# A task that creates one is of both; one that calls A again adds nothing to A that was not counted: A is
# from 0 to 3, its task's B from 1 to 9, and B's task calls A from 4 to 12.  A: 3 + 8 + 8 = 19 in 12; B: 8
# + 8 = 16 in 11.  A is 3 + 8 = 11 by itself.
cat >deep.csv <<'CSV'
thread,clock,time,event,routine,task
main,cedar,0,ENTER,A,
main,cedar,1,FORK,,work
work,cedar,1,ENTER,B,
main,cedar,3,EXIT,A,
work,cedar,3,FORK,,more
more,cedar,4,ENTER,A,
work,cedar,9,EXIT,B,
more,cedar,12,EXIT,A,
CSV
ask 'deep.csv --follow=create'
ask 'deep.csv --follow=create --actors=main,more'
# Clocks apart: the sum of CPU times is known, elapsed time only as well as the clocks.
sed 's/,cedar//; s/,clock//' three.csv >apart.csv
good 'cellstat profile -q apart.csv --events=events.xml --follow=create | tail -n 3'
# Figure 1.3: Main's 11 s have two processors busy for 10; A has the most direct time, 10 s, all of it
# while another routine runs; B to E have 2.5 s each.  With what it creates Main is 11 s + 10 s of CPU
# time, in 11 s of elapsed time: overlap 10.
use forks.csv
ask forks.csv
ask 'forks.csv --follow=create'
good 'cellstat concurrency -q forks.csv'
good 'cellstat timeline -q --bins=22 forks.csv'
# Contexts of the PPE: those that start_all creates are its own.
pdtsim --workload=synthetic:blocks=2 --spes=2 --events=60 --seed=3 --level=full --calls -o t.pex
good 'cellstat profile -q t.pex --follow=create | grep start_all'
fails 2 'cellstat profile three.csv --follow=none'
fails 2 'cellstat states three.csv --follow=create'
