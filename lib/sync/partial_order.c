/* Frees the part of a solution that describes a trace in partial order. */
#include "sync/partial_order.h"

#include "base/array.h"

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
    struct walked *walked = partial->walked;
    if (walked) {
        for (struct walked_name *name = walked->names, *next; name; name = next) {
            next = name->next;
            free(name);
        }
        FREE_ALL(walked->starts, walked->members, walked->shared.items, walked->open.items);
        points_fini(&walked->points);
        free(walked);
    }
    directions_fini(&partial->directions);
    *partial = (struct partial){0};
}

size_t partial_hubs_most(const struct csy_trace *trace)
{
    return trace->source->archive ? REDUCE_PASSES_HUBS_AGAIN : REDUCE_PASSES_HUBS;
}

struct points *partial_points(struct partial *partial)
{
    return partial->walked ? &partial->walked->points : &partial->points;
}
