# --help and --version.
good 'cellsync --help'
good 'cellsync -h --no-such-option'
good 'cellsync --help-all'
good 'cellsync --version | sed "s/ [0-9.]*,/ VERSION,/g; s/no igzip/igzip VERSION/; s/no libotf2/libotf2 VERSION/; s/no yajl/yajl VERSION/; s/32-bit/64-bit/; s/no sandbox/sandbox by Landlock/"'
good 'cellsync -V nowhere.pex | head -n 1'

# It fits a screen.
good 'cellsync --help | awk "length > 79 { print \"wide: \" \$0 } END { if (NR > 40) print NR, \"lines\" }"'
good 'cellsync --help-all | awk "length > 79 { print \"wide: \" \$0 }"'
