/* Frees the part of a solution that describes drifting clocks. */
#include "sync/drift_clocks.h"

#include "base/array.h"

#include <stdlib.h>

void drift_free_peers(struct drift *drift)
{
    if (drift->peers) {
        FREE_ALL(drift->peers->pairs, drift->peers->widths);
    }
    free(drift->peers);
    drift->peers = NULL;
}

void drift_reset(struct drift *drift)
{
    drift_free_peers(drift);
    for (size_t t = 0; drift->clocks && t < drift->view.nclocks; t++)
        knots_fini(&drift->clocks[t]);
    FREE_ALL(drift->clocks, drift->shift, drift->views);
    ageing_fini(&drift->ageing);
    pairs_fini(&drift->pairs);
    points_fini(&drift->points);
    FREE_ALL(drift->order, drift->one_sided);
    *drift = (struct drift){0};
}
