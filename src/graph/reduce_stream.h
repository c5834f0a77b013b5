/*
 * Points -> pairs of clocks, as graph/reduce.h makes them, while the points come.
 *
 * Points come one by one, each after all that are before it, and are of one chain for each
 * location; edges lead from one to another, and hubs are passed (graph/reduce.h).  Only those are
 * kept that pairs, chains or edges to come are from.  Pairs are the same as those of all points at
 * once, whatever the order in which they are visited.
 */
#ifndef GRAPH_REDUCE_STREAM_H
#define GRAPH_REDUCE_STREAM_H

#include "graph/reduce.h"

struct age_matrix;
struct reduce_stream;

/* points, which stay and are emptied: those that are kept.  What window is from stays, too.  ages:
 * NULL, or constraints go there and are not kept, so that there are no pairs. */
csy_status reduce_stream_new(struct points *points, size_t nlocations, size_t nclocks,
                             const struct reduce_window *window, struct age_matrix *ages,
                             struct reduce_stream **out, csy_error *error);
void reduce_stream_free(struct reduce_stream *stream);

/* The next point.  leaves: how many edges leave it, or REDUCE_STREAM_SOME, until it is released.
 * edges: n that lead to it, with the sources' numbers in `from`.  *out: its number, which holds
 * until points are removed. */
#define REDUCE_STREAM_SOME UINT32_MAX

struct reduce_stream_point {
    const struct instant *instant;
    uint32_t leaves;
    const struct order_edge *edges;
    size_t n;
};
csy_status reduce_stream_add(struct reduce_stream *stream, const struct reduce_stream_point *point,
                             uint32_t *out, csy_error *error);
void reduce_stream_release(struct reduce_stream *stream, uint32_t point);

/* Whether points are to be removed; marks for that, by point, which the caller sets to 1 for
 * sources of messages under way, and frees; NULL: no memory.  Then those that nothing is from are
 * removed, and marks have new numbers of the others. */
bool reduce_stream_is_full(const struct reduce_stream *stream);
uint32_t *reduce_stream_marks(const struct reduce_stream *stream);
void reduce_stream_remove(struct reduce_stream *stream, uint32_t *marks);

/* All have come: the pairs, and points has what they are from. */
csy_status reduce_stream_collect(struct reduce_stream *stream, struct pairs *out, csy_error *error);

#endif
