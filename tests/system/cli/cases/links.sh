# Outputs that are symbolic links: what they lead to is replaced, and the link stays; one that leads nowhere is replaced.
use samples/embedded.pex samples/paper.csv
mkdir other
echo old >other/real.csv
echo old >other/real.pex
ln -s other/real.csv there.csv
ln -s other/real.pex there.pex
ln -s nowhere.csv dangling.csv
ln -s nowhere/far.csv far.csv
ln -s loop2 loop1
ln -s loop1 loop2
ln -s other folder

good 'cellsync paper.csv -o there.csv && cat other/real.csv && readlink there.csv'
good 'cellsync embedded.pex -o there.pex && cellsync --check there.pex && readlink there.pex && ls other'
good 'cellsync paper.csv -o dangling.csv && cmp dangling.csv other/real.csv && ! readlink dangling.csv'
good 'cellsync paper.csv -o far.csv && cmp far.csv other/real.csv && ! readlink far.csv'
good 'cellsync paper.csv -o loop1 && cmp loop1 other/real.csv && ! readlink loop1 && readlink loop2'
good 'cellsync paper.csv -o folder/new.csv && cmp other/new.csv other/real.csv'
fails 1 'cellsync paper.csv -r folder'
fails 1 'cellsync embedded.pex -o folder/ --to=ctf'

# Of a .pex behind a link, the record file beside the link comes first, then the one beside the .pex.
cellsync embedded.pex -o other/both.pex
ln -s other/both.pex both.pex
good 'cellsync --check both.pex | head -n 1'
head -c 30 other/both.*.trace >"$(cd other && echo both.*.trace)"
fails 1 'cellsync --check both.pex'

# A record file stands where its .pex names it, below the folder of that; a link may lead out of it.
mkdir below
cellsync embedded.pex -o below/deep.pex
sed 's,href="deep,href="below/deep,' below/deep.pex >above.pex
good 'cellsync --check above.pex | head -n 1'
deep=$(echo below/deep.*.trace)
mv "$deep" other/away.trace
ln -s ../other/away.trace "$deep"
good 'cellsync --check above.pex | head -n 1'
sed 's,href="below/,href="below/../below/,' above.pex >out-and-in.pex
fails 1 'cellsync --check out-and-in.pex'
