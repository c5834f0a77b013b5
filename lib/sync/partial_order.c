/* The results for a trace in partial order in a solution. */
#include "sync/partial_order.h"

#include "sync/replay_kept.h"
#include "trace/source.h"
#include "trace/trace.h"

#include <stdlib.h>

void partial_fini(struct partial *partial)
{
    match_free(partial->match);
    points_fini(&partial->points);
    points_fini(&partial->lives);
    free(partial->order);
    pairs_fini(&partial->pairs);
    free(partial->weight);
    replayed_free(partial->replayed);
    directions_fini(&partial->directions);
    *partial = (struct partial){0};
}

void partial_free(struct partial *partial)
{
    if (partial)
        partial_fini(partial);
    free(partial);
}

size_t partial_hubs_most(const struct csy_trace *trace)
{
    return trace->source->archive ? REDUCE_PASSES_HUBS_AGAIN : REDUCE_PASSES_HUBS;
}

struct points *partial_points(struct partial *partial)
{
    return partial->replayed ? &partial->replayed->points : &partial->points;
}
