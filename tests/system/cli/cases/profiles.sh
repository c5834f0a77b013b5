# Chrome JSON of several ranks: k-th with k-th only if that is certain; otherwise the counts are printed.
event() { printf '{"ph":"X","name":"%s","pid":%s,"tid":1,"ts":%s,"dur":%s%s}' "$@"; } # NAME PID TS DUR [MORE]
rank() { printf '{"distributedInfo":{"rank":%s},"traceEvents":[%s]}\n' "$1" "$2"; }
step() { event 'ProfilerStep#4' "$1" "$2" 900 ''; }
a=$(event gloo:all_reduce 10 100.25 50.5 ''),$(event gloo:all_reduce 10 300.25 50.5 '')
b=$(event gloo:all_reduce 20 5120.125 40.25 ''),$(event gloo:all_reduce 20 5310.125 45 '')

rank 0 "$(step 10 1),$a" >rank0.json
rank 1 "$(step 20 5001),$b" >rank1.json
good 'cellsync --drift=0 rank0.json rank1.json -r report.txt; grep -e ^order -e ^clock report.txt'
good 'cellsync --drift=0 -q rank0.json rank1.json -o synced/'
sed 's/"cellsync":".*"/"cellsync":VERSION/' synced/rank1.json
fails 1 'cellsync -q synced/rank0.json synced/rank1.json'
good 'cellsync --drift=0 -q rank0.json rank1.json -o merged.json'
grep -c gloo merged.json
good 'cellsync --drift=0 -q rank0.json rank1.json -o merged.csv'
good 'cellsync --check merged.csv --original rank0.json rank1.json'
fails 1 'cellsync --check merged.csv --original rank1.json rank0.json'
fails 1 'cellsync --check merged.csv'
fails 2 'cellsync -q rank0.json rank1.json -o folder/ --to=csv'
good 'cellsync -q rank0.json rank1.json --drift=0 -o merged.tar'
fails 1 'cellsync merged.tar'
fails 2 'cellsync -q rank0.json rank1.json -o folder/ --window=0..50%'

rank 1 "$(step 20 5001),$(event gloo:all_reduce 20 5120.125 40.25 '')" >fewer.json
fails 1 'cellsync -q rank0.json fewer.json'
rank 1 "$b" >unstepped.json
fails 1 'cellsync -q rank0.json unstepped.json'
rank 1 "$(step 20 5001 | sed 's/#4/#5/'),$b" >later.json
fails 1 'cellsync -q rank0.json later.json'

# Seq needs no steps, and no equal counts.
seq() { printf ',"args":{"Process Group Name":"p","Seq":%s}' "$1"; }
rank 0 "$(event gloo:all_reduce 10 100.25 50.5 "$(seq 7)"),$(event gloo:all_reduce 10 300.25 50.5 "$(seq 8)")" >seq0.json
rank 1 "$(event gloo:all_reduce 20 5310.125 45 "$(seq 8)")" >seq1.json
good 'cellsync --drift=0 -q seq0.json seq1.json -r report.txt; grep "^order" report.txt'

# A broadcast is ordered from its root, and a reduction to its root, if all ranks name the same root.
kernel() # TS DUR NAME RANK [ELEMENTS]
{
    printf '{"ph":"X","cat":"kernel","name":"nccl","pid":0,"tid":7,"ts":%s,"dur":%s,"args":{"Collective name":"%s",' "$1" "$2" "$3"
    printf '"Process Group Name":"p","Process Group Ranks":"[0, 1]","Seq":3,"Rank":%s,"In msg nelems":%s}}' "$4" "${5-8}"
}
root() # NAME RANK0 RANK1 [ELEMENTS]
{
    rank 0 "$(event a 10 1 1 ''),$(kernel 1000 50 "$1" "$2" ${4+"$4"})" >root0.json
    rank 1 "$(event a 20 1 1 ''),$(kernel 9000.5 50 "$1" "$3" ${4+"$4"})" >root1.json
    good 'cellsync --drift=0 --reference=rank0.gpu0 root0.json root1.json -r report.txt; grep -e "^order" -e rank1.*ahead report.txt'
}
root broadcast 0 0
root _reduce_oop 0 0
root broadcast 0 1
root broadcast 5 5
root broadcast 0 0 0
root allreduce 0 1
# The kernel has the id of the record that names the root.
unnamed() { sed 's/"Rank":0/"External id":9/; s/\]}$/,{"ph":"X","name":"record_param_comms","pid":10,"tid":1,"ts":9,"dur":1,"args":{"Collective name":"reduce","External id":9,"Rank":1}}&/' "$1"; }
root reduce 0 0
unnamed root0.json >named0.json
unnamed root1.json >named1.json
good 'cellsync --drift=0 -q --reference=rank0.gpu0 named0.json named1.json -r report.txt; grep -e "^order" -e rank1.*ahead report.txt'

# A call that waits for a stream ends after the work that its thread launched on it before.
call() # NAME TS DUR CORRELATION
{
    printf '{"ph":"X","cat":"cuda_runtime","name":"%s","pid":10,"tid":1,"ts":%s,"dur":%s,"args":{"correlation":%s}},' "$@"
}
work() # NAME CATEGORY TS DUR CORRELATION
{
    printf '{"ph":"X","cat":"%s","name":"%s","pid":0,"tid":7,"ts":%s,"dur":%s,"args":{"context":1,"stream":7,"correlation":%s}},' \
        "$2" "$1" "$3" "$4" "$5"
}
sync() # KIND STREAM CORRELATION [MORE]
{
    printf '{"ph":"X","cat":"cuda_sync","name":"%s","pid":0,"tid":%s,"ts":50,"dur":1,"args":{"cuda_sync_kind":"%s",' "$1" "$2" "$1"
    printf '"context":1,"stream":%s,"correlation":%s%s}}' "$2" "$3" "${4-}"
}
waits() # EVENTS
{
    rank 0 "$1" >waits.json
    good 'cellsync --drift=0 -q --reference=rank0 waits.json -r report.txt; grep -e "^order" -e gpu0.*ahead report.txt'
}
start="$(call cudaLaunchKernel 10 1 1)$(work gemm kernel 1011 20 1)"
waits "$start$(call cudaStreamSynchronize 12 40 2)$(sync 'Stream Sync' 7 2)"
waits "$start$(call cudaStreamSynchronize 12 40 2)$(sync 'Stream Sync' 9 2)"
waits "$start$(call cudaDeviceSynchronize 12 40 2)$(sync 'Context Sync' -1 2)"
late="$(call cudaLaunchKernel 14 1 4)$(work late kernel 1032 90 4)"
waits "$start$(call cudaEventRecord 12 1 3)$late$(call cudaEventSynchronize 16 40 2)$(sync 'Event Sync' -1 2 ',"wait_on_stream":7,"wait_on_cuda_event_record_corr_id":3')"
waits "$start$(call cudaEventSynchronize 16 40 2)$(sync 'Event Sync' -1 2 ',"wait_on_stream":7,"wait_on_cuda_event_record_corr_id":-1')"
waits "$(call cudaMemcpyAsync 10 41 1)$(work 'Memcpy DtoH (Device -> Pageable)' gpu_memcpy 1011 20 1)$(event x 10 1 1 '')"
waits "$(call cudaMemcpyAsync 10 41 1)$(work 'Memcpy DtoH (Device -> Pinned)' gpu_memcpy 1011 20 1)$(event x 10 1 1 '')"
waits "$(call cudaGraphLaunch 10 1 1)$(work gemm kernel 1011 20 1)$(call cudaStreamSynchronize 12 40 2)$(sync 'Stream Sync' 7 2)"

# Flows, events with separate ends, and an array without its end.
printf '[%s,\n%s,\n%s,\n%s,\n' '{"ph":"s","ts":1.5,"id":7,"pid":1,"tid":1,"name":"f","cat":"c"}' \
    '{"ph":"f","ts":0.25,"id":7,"pid":2,"tid":1,"name":"f","cat":"c"}' '{"ph":"B","ts":3,"pid":1,"tid":1,"name":"x"}' \
    '{"ph":"E","ts":4,"pid":1,"tid":1}' >flow.json
good 'cellsync --drift=0 -q flow.json -o out.json -r report.txt; grep "^order" report.txt; cat out.json'
printf '{"traceEvents":[{"ph":"X","ts":"x","dur":1,"pid":1,"tid":1,"name":"a"}]}' >word.json
fails 1 'cellsync -q word.json'
printf '{"traceEvents":[]}' >none.json
fails 1 'cellsync -q none.json'
good 'cellsync -q $DATA/two.csv -o own.json'
fails 1 'cellsync -q own.json'
fails 2 'cellsync -q flow.json --spans=nested'

# An archive for Perfetto: the files as they are, and the offset of each.
good 'cellsync --drift=0 -q rank0.json rank1.json -o merged.tar; tar -xOf merged.tar perfetto_manifest.json'
mkdir inside
tar -xf merged.tar -C inside
good 'cmp rank0.json inside/rank0.json && cmp rank1.json inside/rank1.json; ls inside'
good 'cellsync rank0.json rank1.json -o merged.tar.gz -r /dev/null; gzip -dc merged.tar.gz | tar -tf -'
cat rank0.json rank1.json >both.json
fails 2 'cellsync -q both.json -o both.tar'
use two.csv
fails 2 'cellsync -q two.csv -o two.tar'
fails 2 'cellsync -q rank0.json rank1.json --monotonic -o monotonic.tar'
fails 2 'cellsync -q rank0.json rank1.json --only=rank0 -o part.tar'
mkdir other
cp rank1.json other/rank0.json
fails 2 'cellsync -q rank0.json other/rank0.json -o same.tar'
fails 2 'cellsync -q - <rank0.json -o input.tar'
cp rank0.json 'a"b.json'
fails 2 'cellsync -q a\"b.json rank1.json -o quote.tar'
cp rank0.json perfetto_manifest.json
fails 2 'cellsync -q perfetto_manifest.json rank1.json -o manifest.tar'
ls *.tar

# An empty document stays JSON.
printf '{ }[{"ph":"X","ts":1,"dur":1,"pid":1,"tid":1,"name":"a"}]' >empty.json
good 'cellsync -q empty.json -o - | sed "s/:.*}\[/:VERSION}[/"'

# What cannot be read.
bad() { printf '{"traceEvents":[{"ph":"X","ts":%s,"dur":1,"pid":1,"tid":1,"name":"%b"}]}' "$1" "$2" >"$3"; }
bad NaN a nan.json
bad 1e300 a huge.json
bad 1 '\377' utf8.json
{ printf '{"traceEvents":[{"args":'; head -c 2000 /dev/zero | tr '\0' '['; } >deep.json
printf '{"traceEvents":[{"ph":"X","ts":1,"dur":9223372036854775,"pid":1,"tid":1,"name":"a"}],"baseTimeNanoseconds":1000}' >late.json
printf '[{"traceEvents":[{"ph":"X","ts":1,"dur":1,"pid":1,"tid":1,"name":"a"}]}]' >nested.json
for file in nan huge utf8 deep late nested; do
    fails 1 "cellsync -q $file.json"
done

# Profiles of one rank are from different jobs.
rank 0 '{"ph":"X","pid":1,"tid":1,"ts":1,"dur":5,"name":"a"}' >job1.json
rank 0 '{"ph":"X","pid":1,"tid":1,"ts":2,"dur":5,"name":"a"}' >job2.json
fails 1 'cellsync -q job1.json job2.json'
good 'cellsync -q --table job1.json job2.json -r /dev/null'

# A flow with a step has one begin and one end. A negative duration is reported.
printf '{"traceEvents":[%s,%s,%s,%s,%s,%s]}' \
    '{"ph":"X","pid":1,"tid":1,"ts":1,"dur":5,"name":"a"}' '{"ph":"s","pid":1,"tid":1,"ts":2,"id":7,"name":"f","cat":"f"}' \
    '{"ph":"X","pid":2,"tid":1,"ts":11,"dur":-5,"name":"b"}' '{"ph":"t","pid":1,"tid":1,"ts":3,"id":7,"name":"f","cat":"f"}' \
    '{"ph":"X","pid":2,"tid":1,"ts":14,"dur":5,"name":"c"}' '{"ph":"f","bp":"e","pid":2,"tid":1,"ts":15,"id":7,"name":"f","cat":"f"}' >flow.json
good 'cellsync --drift=0 flow.json | grep ^order'

# Kernels of NCCL in profiles of old versions of PyTorch do not state their operation.
sed 's/"Collective name":"[^"]*",//' root0.json >old0.json
sed 's/"Collective name":"[^"]*",//' root1.json >old1.json
good 'cellsync --drift=0 old0.json old1.json -r report.txt'
