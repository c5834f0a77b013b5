# A synchronized .pex, in two files and in one: every byte.
use good/rich.pex good/rich.trace good/gzip.pex good/gzip.trace good/embedded.pex good/embedded-gzip.pex

good 'cellsync rich.pex -o out.pex && cat out.pex'
good 'od -Ax -tx1 out.*.trace'
good 'cellsync --check out.pex'
good 'ls'

# Embedded: the document without href, a NUL, the same records.
good 'cellsync rich.pex -o one.pex --embed && tr "\0" "\n" <one.pex | sed -n "/trace_file/p; /PDTTRACE/q"'
size=$(($(wc -c <one.pex) - $(cat out.*.trace | wc -c)))
good "tail -c +$((size + 1)) one.pex | cmp - out.*.trace && head -c $size one.pex | tail -c 1 | od -An -tx1"
good 'cellsync --check one.pex'

# Whatever form the records come in.
for file in gzip embedded embedded-gzip; do
    good "cellsync $file.pex -o $file-out.pex && cksum $file-out.*.trace"
    good "cellsync --check $file-out.pex"
done
good 'cat gzip-out.pex'

# Names: without a suffix, with a dot in the folder only, with a colon.
mkdir v1.0
for name in plain v1.0/plain a:b.pex two.dots.pex; do
    good "cellsync embedded.pex -o $name && grep trace_file $name"
    good "cellsync --check $name | head -n 1"
done
good 'cellsync embedded.pex -o .hidden && grep trace_file .hidden && cellsync --check .hidden | head -n 1 && rm .hidden*'
good 'find . -name "*plain*" -o -name "a:*" -o -name "two*" | sort'

# Comments that look like the mark of where the table goes, before it and after it.
sed 's,<machine,<!--live intervals--><!--LIVE INTERVALS-->&,; s,</pdt_trace>,&<!--live intervals-->,' rich.pex >marked.pex
good 'cellsync marked.pex -o marks.pex && grep -n "<!--live\|<live\|<sync\|</sync" marks.pex'
good 'cellsync --check marks.pex | head -n 1'

# Old files of these names are replaced, behind a link too; what the umask and the old file allow stays.
ln -s out.pex link.pex
chmod 640 out.pex
chmod 604 out.*.trace
good 'cellsync embedded.pex -o link.pex && cksum out.*.trace'
good 'cellsync --check link.pex | head -n 1'
good 'umask 027; cellsync embedded.pex -o new.pex; stat -c "%A %n" link.pex out.pex out.*.trace new.pex new.*.trace'

# Refused: global time is not synchronized again.
fails 1 'cellsync out.pex'
fails 1 'cellsync one.pex -o again.pex'

# The record file of one .pex is not that of another, also where the suffix alone tells them apart; that of a .pex that is
# replaced goes, whatever replaces it, and no other one.
mkdir names
cd names
good 'for name in x.pex x.xml x.trace x; do cellsync ../rich.pex --to=pex -o $name; done; ls | wc -l'
good 'for name in x.pex x.xml x.trace x; do cellsync --check $name | head -n 1; done'
good 'cellsync ../rich.pex -o x.pex && cellsync ../rich.pex --alpha=0 -o x.pex && ls | wc -l && cellsync --check x.pex | head -n 1'
good 'cellsync ../rich.pex -o x.pex --compress && ls | wc -l && cellsync --check x.pex | head -n 1'
good 'cellsync ../rich.pex -o x.pex --embed && ls | wc -l'
good 'cellsync ../rich.pex -o x.xml --to=csv && cellsync ../rich.pex -r x.trace --report-format=text && ls | wc -l'
good 'cellsync --check x | head -n 1 && rm x x.* && ls'
cp ../rich.pex ../rich.trace .
cp rich.trace rich.01234567.trace
sed 's/href="[^"]*"/href="rich.01234567.trace"/' rich.pex >tagged.pex
cp tagged.pex rich.pex
good 'cellsync tagged.pex -o rich.pex && ls rich.01234567.trace'

# Names that XML cannot hold, and those that it can.
for name in 'a\001' 'a\377' 'a\357\277\277'; do
    name=$(printf "$name.pex")
    fails 2 "cellsync ../rich.pex -o '$name'"
    good "cellsync ../rich.pex -o '$name' --embed && cellsync --check '$name' | head -n 1"
done
good 'cellsync ../rich.pex -o "a&<\"'"'"'>é
.pex" && sed -n "/trace_file/p" a*\>*.pex && cellsync --check a*\>*.pex | head -n 1'

# Of an encoding that may not have their letters.
printf '<?xml version="1.0" encoding="ISO-8859-1"?><pdt_trace version="1"><note>\351</note><machine timebase_hz="9"/>
<trace_file href="../rich.trace"/><clock/></pdt_trace>' | sed 's,\.\./,,' >latin.pex
cp ../rich.trace .
good 'cellsync -q latin.pex -o "é€.pex" && head -n 2 é*.pex | od -An -tx1 -c | sed -n "/351/p" && sed -n 2p é*.pex && cellsync --check é*.pex | head -n 1'
