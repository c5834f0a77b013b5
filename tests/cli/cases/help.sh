# --help and --version.
good 'cellsync --help'
good 'cellsync -h --no-such-option'
good 'cellsync --version'
good 'cellsync -V nowhere.pex'
