# cellstat(1): what a trace says of its program. The analyses are in libcellsync.
add_program(cellstat programs stat/cellstat main tool cellsync_static dependencies)
