# Packets that several hosts captured.
cp -R "$DATA/pcap" .
told='/^trace/p; /^records/p; /^threads/p; /^order/p; /^delta/p; /^drift/p; /^violations/p; /^warning/p; /^diagnosis/,/^explained/p'

# Two hosts; three, one of which was set.
good "cellsync -q pcap/lan/a.pcap pcap/lan/b.pcap | sed -n '$told'"
good "cellsync -q here=pcap/lan/a.pcap pcap/lan/b.pcap | sed -n '/^reference/p; /^threads/p'"
good "cellsync -q pcap/three/a.pcapng pcap/three/b.pcapng pcap/three/c.pcapng | sed -n '$told; /bounds hold if c/p'"
good "cellsync -q --steps=0 pcap/three/a.pcapng pcap/three/b.pcapng pcap/three/c.pcapng 2>/dev/null | sed -n '/^diagnosis/,/^explained/p'"

# The fastest packet of each direction.
good 'cellsync -q pcap/three/a.pcapng pcap/three/b.pcapng pcap/three/c.pcapng | grep "^the fastest"'
good 'cellsync -q pcap/wan/a.pcap pcap/wan/b.pcap -r - --report-format=json | sed -n "/delays/,/],/p"'
good 'cellsync -q pcap/wan/a.pcap pcap/wan/b.pcap -r - --report-format=md | grep -e reads -e fastest'

# Outputs: a folder, one file, CSV.
good 'cellsync -q pcap/wan/a.pcap pcap/wan/b.pcap -o out/ && ls out && wc -c out/a.pcap pcap/wan/a.pcap'
good 'cellsync -q pcap/wan/a.pcap pcap/wan/b.pcap -o out/ --from=pcapng && ls out'
good 'cellsync -q pcap/wan/a.pcap pcap/wan/b.pcap -o all.pcapng && cellsync -q pcap/wan/a.pcap pcap/wan/b.pcap -o same --to=pcapng && cmp all.pcapng same'
good 'cellsync -q --threads=2 pcap/wan/a.pcap pcap/wan/b.pcap -o two.pcapng && cmp all.pcapng two.pcapng'
good 'cellsync -q pcap/wan/a.pcap pcap/wan/b.pcap -o - --to=pcapng | cmp - all.pcapng'
good 'TMPDIR=/nonexistent cellsync -q pcap/wan/a.pcap pcap/wan/b.pcap -o - --to=pcapng | cmp - all.pcapng'
good 'cellsync -q pcap/lan/a.pcap pcap/lan/b.pcap -o all.csv && sed -n "/^thread/p" all.csv && wc -l <all.csv'
good 'gzip -nk pcap/lan/*.pcap && mkdir zipped && mv pcap/lan/*.gz zipped/ && cellsync -q zipped/a.pcap.gz zipped/b.pcap.gz -o ./ && gzip -dc a.pcap.gz >a && cellsync -q pcap/lan/a.pcap pcap/lan/b.pcap -o out/ && cmp a out/a.pcap'

# The CSV is proved, captures are not.
good 'cellsync --check all.csv'
good 'cellsync -q pcap/three/a.pcapng pcap/three/b.pcapng pcap/three/c.pcapng -o three.csv -r three.txt && cellsync --check three.csv | head -n 1'
sed '900s/^\([ab],[0-9]*\)[0-9],/\17,/' all.csv >moved.csv
fails 1 'cellsync --check moved.csv'
fails 1 'cellsync --check out/a.pcap'
fails 1 'cellsync --check all.pcapng'

# What cannot be written.
fails 2 'cellsync -q pcap/lan/a.pcap pcap/lan/b.pcap -o folder/ --to=csv'
fails 2 'cellsync pcap/lan/a.pcap pcap/lan/b.pcap -o x.pcap'
fails 2 'cellsync pcap/lan/a.pcap pcap/lan/b.pcap -o x.pex'
fails 2 'cellsync pcap/lan/a.pcap pcap/lan/b.pcap -o x.pcapng --only=a'
fails 1 'cellsync pcap/lan/a.pcap pcap/lan/b.pcap -o pcap/lan/'
use two.csv
fails 2 'cellsync two.csv -o x.pcap'
fails 2 'cellsync two.csv -o x.pcapng'

# What cannot be read: one name twice, files that are cut off, files of two kinds.
mkdir other && cp pcap/lan/b.pcap other/a.pcap
fails 1 'cellsync pcap/lan/a.pcap other/a.pcap'
good "cellsync -q A=pcap/lan/a.pcap B=other/a.pcap | sed -n '/^order/p'"
head -c 5000 pcap/lan/b.pcap >cut.pcap
fails 1 'cellsync -q pcap/lan/a.pcap cut.pcap'
good "cellsync -q --salvage pcap/lan/a.pcap cut.pcap 2>/dev/null | sed -n '/^records/p; /^order/p; /salvaged/p'"
head -c 5001 pcap/three/c.pcapng >cut.pcapng
fails 1 'cellsync -q pcap/three/a.pcapng cut.pcapng'
printf '\324\303\262\241\011\000\004\000' >old.pcap && head -c 16 /dev/zero >>old.pcap
fails 1 'cellsync -q pcap/lan/a.pcap old.pcap'
head -c 10 pcap/lan/a.pcap >short.pcap
fails 1 'cellsync -q pcap/lan/a.pcap short.pcap'
fails 1 'cellsync -q --from=pcap two.csv'

# Hosts that did not meet, and one host.
good "cellsync -q pcap/lan/a.pcap pcap/wan/b.pcap 2>&1 | sed -n '/^order/p; /bounded/p; /nothing shows/p'"
good "cellsync -q pcap/lan/a.pcap 2>&1 | sed -n '/^records/p; /^threads/p; /^order/p'"

# One-way delays by direction.
good "cellstat -q latency --time=us pcap/three/a.pcapng pcap/three/b.pcapng pcap/three/c.pcapng | sed -n '/direction/,\$p'"

# The description of a host in a merged file counts all segments of its clock, and names may contain a plus.
described() { grep -a -o '[a-c+x]*: \(the\|sync\)[ -~]*' "$1"; }
good 'cellsync -q pcap/three/*.pcapng -o m.pcapng && described m.pcapng'
good 'cellsync -q a+x=pcap/lan/a.pcap pcap/lan/b.pcap -o m.pcapng && described m.pcapng'

# Zeros at the end, as after a crash of the host.
for file in lan/a.pcap three/a.pcapng; do
    { cat pcap/$file; head -c 4096 /dev/zero; } >zeros.${file##*.}
    fails 1 "cellsync -q zeros.${file##*.} pcap/${file%a.*}b.${file##*.}"
    good "cellsync --drift=0 --salvage zeros.${file##*.} pcap/${file%a.*}b.${file##*.} 2>&1 | grep -e ^records -e \"with zeros\""
done
