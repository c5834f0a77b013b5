/* The options of cellsync(1). */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include "tool/command.h"

#define CLI_PROGRAM "cellsync"

/* What rules say of an option. */
enum cli_rule {
    BOUNDS = 1,     /* only bounds have a use for it, which --method=bhh makes alone */
    ONE_TRACE = 2,  /* what it writes or shows is of one trace */
    NOT_CHECKED = 4 /* goes with no --check, which solves nothing and writes nothing */
};

/* Of struct cli_options. */
extern const struct option_table cli_table;

#endif
