# The known answers of partial orders, as .pex.  Contexts begin at 0, so that bounds are those of CSV, moved by that.
use order/messages.pex order/messages.trace order/triangle.pex order/triangle.trace
use order/barrier.pex order/barrier.trace order/blocks.pex order/blocks.trace

# A@0 -> B@105, B@110 -> A@20: g[A] - g[B] in [90,105], less 105; with latency 5 [95,100].
good 'cellsync messages.pex -q --explain=ppe,spe2.1 | grep ^g'
good 'cellsync messages.pex -q --latency=5 --explain=ppe,spe2.1 | grep ^g'

# A@0 -> B@0 -> C@0, C@10 -> A@7: 2 delta is 3/2 over all pairs, not over each hop.
good 'cellsync triangle.pex -q -r - | grep ^delta'
fails 3 'cellsync triangle.pex --delta=1/2'

# A enters at 0, leaves at 10, B enters at 100, leaves at 104: [90,104], less 104.
good 'cellsync barrier.pex -q --explain=ppe,spe2.1 | grep ^g'

# Blocks A{0,5} B{3,9} A{20,25}, flushed at 6, 10, 26: [-16,4], less 3; without stamps nothing is known.
good 'cellsync blocks.pex -q --explain=ppe,spe2.1 | grep ^g'

# Strict unwrapping splits the interval before its flush, whose stamp no column can express.
good 'cellsync blocks.pex -q --unwrap=strict -o b.csv && cut -d, -f 1,2,3,14- b.csv'
fails 1 'cellsync --check b.csv'
for name in messages triangle barrier blocks; do
    good "cellsync $name.pex -q -o s.pex && cellsync --check s.pex | sed -n 3p"
done
