# --help and --version.
good 'cellsync --help'
good 'cellsync -h --no-such-option'
good 'cellsync --version'
good 'cellsync -V nowhere.pex'

# It fits a screen.
good 'cellsync --help | awk "length > 79 { print \"wide: \" \$0 } END { if (NR > 50) print NR, \"lines\" }"'
