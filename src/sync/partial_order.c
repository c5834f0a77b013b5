/* What a solution keeps of a trace in partial order. */
#include "sync/partial_order.h"

#include <stdlib.h>

void partial_free(struct partial *partial)
{
    if (!partial)
        return;
    match_free(partial->match);
    points_fini(&partial->points);
    free(partial->order);
    pairs_fini(&partial->pairs);
    free(partial->weight);
    free(partial);
}
