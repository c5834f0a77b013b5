# Asks the fish completions of cellsync, cellstat, and pdtsim what a user would ask them with the tab key.
#
#   fish --no-config completion_test.fish COMPLETION_FOLDER HELP_TEXT   (what `cellsync --help-all` prints)
set completions (realpath $argv[1])
set help (realpath $argv[2])
set -g failures 0
for program in cellsync cellstat pdtsim
    source $completions/$program.fish; or exit 1
end
set tmp (mktemp -d); or exit 1
cd $tmp; or exit 1
mkdir traces 'other folder'
touch a.pex a.trace b.csv c.txt 'd e.csv' e.json.gz

# expect ANSWERS LINE: what tab offers behind the line, sorted, joined by blanks.
function expect
    set got (complete --do-complete=$argv[2] | string replace -r '\t.*' '' | LC_ALL=C sort | string join ' ')
    test "$got" = "$argv[1]"; and return
    printf 'FAIL: completing <%s>\n  want: %s\n  got:  %s\n' $argv[2] "$argv[1]" "$got"
    set failures (math $failures + 1)
end

# Every option that a line of --help begins with, and no other.
set long (string match -rg '^ +(?:-[[:alnum:]], )?(--[a-z-]+)' <$help | LC_ALL=C sort)
set offered (complete --do-complete='cellsync --' | string match -rg '^(--[a-z-]+)' | LC_ALL=C sort -u)
if test "$long" != "$offered"
    printf 'FAIL: options\n  want: %s\n  got:  %s\n' "$long" "$offered"
    set failures 1
end

expect '--from=chrome --from=csv --from=jaeger --from=otf2 --from=otlp --from=pcap --from=pcapng --from=pex --from=zipkin' 'cellsync --from='
expect 'csv html json md tex text' 'cellsync --report-format '
expect '--method=lamport --method=lamport-clock' 'cellsync a.pex --method=la'
expect 'a.pex a.trace' 'cellsync -o a'
expect 'c.txt' 'cellsync --report c'
expect 'other folder/ traces/' 'cellsync --figures '
expect 'a.pex b.csv d e.csv e.json.gz other folder/ traces/' 'cellsync '
expect 'a.pex' 'cellsync -v a'
expect '' 'cellsync --threads '
expect '' 'cellsync --alpha='
expect 'concurrency' 'cellstat con'
expect 'a.pex' 'cellstat concurrency a'
expect 'dot' 'cellstat calls --format d'
expect 'ps3 qs20 qs21 qs22' 'pdtsim --machine '
expect '' 'pdtsim a'

cd /
rm -r $tmp
test $failures -eq 0
