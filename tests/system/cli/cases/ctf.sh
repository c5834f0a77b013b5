# A trace as a CTF folder: what is in it, what it may replace, and that nothing else is lost or left.
use good/rich.pex good/rich.trace samples/paper.csv samples/plain.pex samples/plain.trace
good 'cellsync rich.pex -o out.ctf && ls -A out.ctf && cat out.ctf/metadata && cat out.ctf/ppe out.ctf/spe3 | od -A d -t x1'
good 'cellsync rich.pex -o slash.ctf/// && diff -r out.ctf slash.ctf'
good 'cellsync rich.pex -o other --to=ctf && diff -r out.ctf other'

# A method that makes no offsets.
good 'cellsync -q --method=lamport-clock rich.pex -o lamport.ctf && sed -n "/^env/,/^}/p" lamport.ctf/metadata && od -A d -t x1 lamport.ctf/context2'

# An old one is replaced, as a whole, and so is an empty folder; through a link, what that leads to.
good 'cellsync plain.pex -o plain.ctf && chmod 750 out.ctf && cellsync plain.pex -o out.ctf && ls -A out.ctf'
good 'stat -c %a out.ctf plain.ctf'
good 'cmp plain.ctf/ppe out.ctf/ppe && cmp plain.ctf/metadata out.ctf/metadata'
good 'mkdir empty && cellsync rich.pex -o empty --to=ctf && diff -r slash.ctf empty'
mkdir real
good 'cellsync plain.pex -o real/x.ctf && ln -s real/x.ctf link.ctf && cellsync rich.pex -o link.ctf/ && diff -r real/x.ctf slash.ctf && ls -d link.ctf real/x.ctf'

# So is one of another tool, whatever the order of its bytes.
mkdir little.ctf
cp slash.ctf/metadata little.ctf
printf '\301\037\374\301\0\0' >little.ctf/channel0
good 'cellsync rich.pex -o little.ctf && diff -r slash.ctf little.ctf'
printf '\301\037\374\300\0\0' >little.ctf/channel0
fails 1 'cellsync rich.pex -o little.ctf'

# Any other folder stands, and so does a file.
mkdir notes.ctf
echo note >notes.ctf/note
fails 1 'cellsync rich.pex -o notes.ctf'
cp -r slash.ctf more.ctf
echo note >more.ctf/note
fails 1 'cellsync rich.pex -o more.ctf/'
cp -r slash.ctf deep.ctf
mkdir deep.ctf/index
fails 1 'cellsync rich.pex -o deep.ctf'
cp -r slash.ctf linked.ctf
ln -s ../rich.trace linked.ctf/rich
fails 1 'cellsync rich.pex -o linked.ctf'
cp -r slash.ctf headless.ctf
rm headless.ctf/metadata
fails 1 'cellsync rich.pex -o headless.ctf'
cp -r slash.ctf foreign.ctf
echo '/* CTF 2.0 */' >foreign.ctf/metadata
fails 1 'cellsync rich.pex -o foreign.ctf'
echo file >file.ctf
fails 1 'cellsync rich.pex -o file.ctf'
fails 1 'cellsync rich.pex -o nowhere/out.ctf'
fails 1 'cellsync rich.pex -o "" --to=ctf'
fails 1 'cellsync rich.pex -o rich.pex --to=ctf'

# Bytes of a string that TSDL does not take as they are: those below the space, and DEL.
odd=$(printf '\037 \176\177"\\.pex')
cp plain.pex "$odd"
good "cellsync \"\$odd\" -o odd.ctf && grep trace_name odd.ctf/metadata"

# Words of columns that differ by underscores in front alone, which readers take away, are not words of two fields.
printf 'thread,time,_a,a,--c,-c,b\nx,1,1,2,3,4,5\ny,2,7,8,9,10,11\n' >underscores.csv
good 'cellsync -q underscores.csv -o underscores.ctf && grep "string _" underscores.ctf/metadata'

# Infeasible, usage.
use good/infeasible.pex good/infeasible.trace
fails 3 'cellsync --relax=none infeasible.pex -o slash.ctf'
fails 2 'cellsync rich.pex -o - --to=ctf'
fails 2 'cellsync rich.pex -o new.ctf --embed'
fails 2 'cellsync rich.pex -o new.ctf/ --compress'
fails 2 'cellsync rich.pex -o new.ctf/ -r new.ctf --report-format=text'
fails 2 'cellsync --from=ctf rich.pex'
