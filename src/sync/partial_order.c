/* What a solution keeps of a trace in partial order. */
#include "sync/partial_order.h"

#include <stdlib.h>

void partial_fini(struct partial *partial)
{
    match_free(partial->match);
    block_lives_free(partial->lives);
    texts_fini(&partial->buffers);
    points_fini(&partial->points);
    free(partial->order);
    pairs_fini(&partial->pairs);
    free(partial->weight);
    *partial = (struct partial){0};
}

void partial_free(struct partial *partial)
{
    if (partial)
        partial_fini(partial);
    free(partial);
}
