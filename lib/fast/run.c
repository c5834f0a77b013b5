/* See run.h. */
#include "fast/run.h"

#include <stdlib.h>

bool run_new(struct run *run, bool apart, enum purpose purpose)
{
    *run = (struct run){.apart = apart, .purpose = purpose};
    if (apart && purpose == MEASURING)
        run->kept = malloc(sizeof *run->kept);
    return run->kept || !apart || purpose != MEASURING;
}

void run_fini(struct run *run)
{
    sweep_run_fini(&run->sweep);
    free(run->kept);
    *run = (struct run){0};
}
