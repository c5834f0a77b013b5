/* Frees the part of a solution that describes drifting clocks. */
#include "sync/drift_clocks.h"

#include <stdlib.h>

void drift_free_peers(struct drift *drift)
{
    if (drift->peers) {
        free(drift->peers->pairs);
        free(drift->peers->widths);
    }
    free(drift->peers);
    drift->peers = NULL;
}

void drift_reset(struct drift *drift)
{
    drift_free_peers(drift);
    for (size_t t = 0; drift->clocks && t < drift->view.nclocks; t++)
        knots_fini(&drift->clocks[t]);
    free(drift->clocks);
    free(drift->shift);
    free(drift->views);
    ageing_fini(&drift->ageing);
    pairs_fini(&drift->pairs);
    points_fini(&drift->points);
    free(drift->order);
    free(drift->one_sided);
    *drift = (struct drift){0};
}
