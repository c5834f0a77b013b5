# --check: what it proves, and what it finds wrong when one thing has been changed.
use good/rich.pex good/rich.trace samples/plain.pex samples/plain.trace samples/jitter.pex samples/jitter.trace
use samples/one-sided.csv good/unbounded.pex good/unbounded.trace

for file in plain unbounded jitter; do
    good "cellsync -q $file.pex -o out.pex && cellsync --check out.pex"
    good "cellsync -q --relax=paper $file.pex -o out.pex && cellsync --check out.pex"
done
good 'cellsync --relax=none plain.pex -o out.pex && cellsync --check out.pex'
good 'cellsync --delta=7/2 jitter.pex -o out.pex && cellsync --check out.pex'
good 'cellsync --alpha=1/3 --reference=spe1.1 rich.pex -o out.pex && cellsync --check out.pex'

fails 1 'cellsync --check rich.pex'
fails 1 'cellsync --check one-sided.csv'
fails 1 'cellsync --check nowhere.pex'
fails 1 'cellsync --check rich.trace'

cellsync rich.pex -o synced.pex
good 'cat synced.pex | sed -n "/<sync/,/sync>/p"'

# edited EXPRESSION: the metadata changed.
edited()
{
    sed "$1" synced.pex >edited.pex
    ! cmp -s synced.pex edited.pex || complain "nothing changed: $1"
    printf '\n# %s\n' "$1" >&2
    fails 1 'cellsync --check edited.pex'
}
edited 's/ offset="1045"/ offset="1046"/'
edited 's/ offset="1045"/ offset="-9223372036854775808"/'
edited 's/ offset="0"/ offset="1"/'
edited 's/earliest="1010"/earliest="1011"/'
edited 's/latest="1300"/latest="inf"/'
edited 's/earliest="1200" latest="1300"/earliest="-inf" latest="1300"/'
edited 's/latest="1080"/latest="9223372036854775808"/'
edited 's/latest="1080"/latest="1,080"/'
edited 's/latest="1080"//'
edited 's/0xfd14e6b4/0xfd14e6b5/'
edited 's/0xfd14e6b4/0x1fd14e6b4/'
edited 's/ records="10"/ records="11"/'
edited 's/first_record="6"/first_record="5"/'
edited 's/first_record="6"/first_record="7"/'
edited 's/first_record="6"/first_record="2"/'
edited 's/records="2" decr_first="100"/records="3" decr_first="100"/'
edited 's/decr_first="100"/decr_first="101"/'
edited 's/spe="3"/spe="4"/'
edited 's/ spe="3"//'
edited 's/ctx="2"/ctx="3"/'
edited 's/id="2"/id="3"/'
edited '/id="1"/{h;d}; /id="2"/G'
edited '/ctx="2"/d'
edited '/<ppe_thread/d'
edited '/<ppe_thread/d; /<live_interval/d'
edited '/<synchronization/,/<\/synchronization/d'
edited 's/added_ticks="0"/added_ticks="1"/'
edited 's/delta="0" added_ticks="0"/delta="1\/2" added_ticks="1"/'
edited 's/delta="0"/delta="0.x"/'
edited 's/alpha="1\/2"/alpha="1\/3"/'
edited 's/alpha="1\/2"/alpha="3\/2"/'
edited 's/relax="exact"/relax="least"/'
edited 's/relax="exact"//'
edited 's/reference="ppe"/reference="spe1.1"/'
edited 's/reference="ppe"/reference="spe9.1"/'
edited 's/reference="ppe"//'
edited 's/wraps="1"/wraps="2"/'
edited 's/splits="0"/splits="1"/'
edited 's/assumed="0"/assumed="1"/'
edited 's/assumed="0"//'
edited 's/kind="global"/kind="local"/'

# patched OFFSET OCTAL WHAT: a byte of the records changed.
patched()
{
    sed 's/synced\.[0-9a-f]*\.trace/patched.trace/' synced.pex >patched.pex
    cat synced.*.trace >patched.trace
    printf '%b' "\\0$2" | dd of=patched.trace bs=1 seek="$1" conv=notrunc status=none
    ! cmp -s synced.*.trace patched.trace || complain "nothing changed: byte $1"
    printf '\n# %s\n' "$3" >&2
    fails 1 'cellsync --check patched.pex'
}
patched 143 026 'the stamp of an SPE record, later by a tick'
patched 136 200 'the stamp of an SPE record, below zero'
patched 151 330 'its begin stamp'
patched 159 001 'its payload'
patched 128 001 'its context'
patched 271 261 'the stamp of a PPE record'
patched 264 200 'the stamp of a PPE record, below zero'
patched 76 007 'the event id of a switch'
patched 247 001 'a byte behind the payload'
patched 123 002 'record flags'
patched 23 013 'the count in the file header'
head -c 416 synced.*.trace >patched.trace
fails 1 'cellsync --check patched.pex'
head -c 392 synced.*.trace >patched.trace
fails 1 'cellsync --check patched.pex'
