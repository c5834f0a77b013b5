# cellstat latency --each-message: a row for each message.
printf '# order=partial\n# timebase_hz=1000\nthread,time,event,send,recv,latency\nA,0,MPI_SEND,m,,\nB,105,MPI_RECV,,m,3\nB,110,MPI_SEND,n,,\nA,20,MPI_RECV,,n,\n' >two.csv
good 'cellstat latency two.csv -q --drift=0 --delta=0 --each-message'
good 'cellstat latency two.csv -q --drift=100000 --delta=1 --each-message --format=csv'
good 'cellstat latency two.csv -q --ranges=none --each-message --format=csv'
good 'cellstat latency two.csv -q --drift=0 --delta=0 --each-message --actors=A --time=ms --sort=latency'
good 'cellstat latency two.csv -q --drift=0 --delta=0 --each-message --format=json | tail -n 8'
# Transfers that were recorded as moments have no latency.
pdtsim -o w.pex --workload=halo --nodes=1 --spes=2 --events=60
good "cellstat latency w.pex -q --each-message | sed -n '/^what/,\$p' | head -n 6"
# A window: the messages that may have been under way in it.
good 'cellstat latency two.csv -q --drift=0 --delta=0 --each-message --window=3..#2'
good 'cellstat latency two.csv -q --drift=0 --delta=0 --each-message --window=12..18 --format=csv'
fails 2 'cellstat latency two.csv --each-message --each=MPI_SEND'
fails 2 'cellstat comm two.csv --each-message'
