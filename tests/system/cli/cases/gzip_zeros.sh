# Bytes of zero after gzip data, which tapes and block devices leave, are nothing, as for gunzip.
use samples/switches-gz.pex samples/switches-gz.trace.gz
cellsync -q switches-gz.pex -o want.csv
cp switches-gz.trace.gz plain.gz
head -c 100000 /dev/zero >>switches-gz.trace.gz
good 'cellsync -q switches-gz.pex -o zeros.csv && cmp zeros.csv want.csv'
cat plain.gz >>switches-gz.trace.gz
fails 1 'cellsync -q switches-gz.pex -o none.csv'
