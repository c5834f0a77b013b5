/* Points -> pairs of clocks, as in graph/reduce.h, while the points arrive.
 *
 * Points arrive one by one, each after its predecessors, in one chain for each location. Edges lead
 * from one point to another, and hubs are passed (graph/reduce.h). Only points that pairs, chains,
 * or later edges need are stored. The pairs are the same as for all points at once, in whatever
 * order these are visited. */
#ifndef GRAPH_REDUCE_STREAM_H
#define GRAPH_REDUCE_STREAM_H

#include "graph/reduce.h"

struct age_matrix;
struct reduce_stream;

/* points is emptied, then holds the stored points; it and window's contents must outlive the
 * stream. ages: if not NULL, receives the constraints, and there are no pairs. */
csy_status reduce_stream_new(struct points *points, size_t nlocations, size_t nclocks,
                             const struct reduce_window *window, struct age_matrix *ages,
                             struct reduce_stream **out, csy_error *error);
void reduce_stream_free(struct reduce_stream *stream);

/* Add the next point. leaves: the number of edges that will leave it, or REDUCE_STREAM_SOME until
 * it is released. edges: the n edges into it, with the numbers of their sources in `from`. *out:
 * its number, valid until points are removed. */
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

/* Removing points, once there are many: get marks, set the marks of sources of messages under way
 * to 1, and remove the points that nothing needs. marks then has the new numbers of the others; the
 * caller frees it. NULL: out of memory. */
bool reduce_stream_is_full(const struct reduce_stream *stream);
uint32_t *reduce_stream_marks(const struct reduce_stream *stream);
void reduce_stream_remove(struct reduce_stream *stream, uint32_t *marks);

/* After the last point: get the pairs, and in points only their points. */
csy_status reduce_stream_collect(struct reduce_stream *stream, struct pairs *out, csy_error *error);

#endif
