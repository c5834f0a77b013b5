/* Reduces points to pairs of clocks, as graph/reduce.h does, while the points arrive.
 *
 * Points arrive one by one, each after its predecessors. Each location and each buffer has one
 * chain. Edges lead from one point to another, and hubs are passed (graph/reduce.h). Only points
 * that pairs, chains, or later edges need are stored. The pairs are the same as for all points at
 * once, whatever the order of the visits. */
#ifndef GRAPH_REDUCE_STREAM_H
#define GRAPH_REDUCE_STREAM_H

#include "graph/reduce.h"

struct age_matrix;
struct reduce_stream;

/* Begin a stream. `points` is emptied and receives the stored points. `points` and the arrays of
 * *window must outlive the stream. If `ages` is not NULL, it receives the constraints, and no pairs
 * are stored. */
csy_status reduce_stream_new(struct points *points, size_t nlocations, size_t nclocks,
                             const struct reduce_window *window, struct age_matrix *ages,
                             struct reduce_stream **out, csy_error *error);
void reduce_stream_free(struct reduce_stream *stream);

/* Make room for more clocks and buffers than were known in the beginning. No hub may be a vertex.
 * `rate_ppb` replaces the earlier limits of rates, and is NULL if there were none. */
csy_status reduce_stream_grow(struct reduce_stream *stream, size_t nclocks, size_t nbuffers,
                              const uint32_t *rate_ppb, csy_error *error);

/* A flush is often limited by a record that arrives much later. Add such a flush without hi, and
 * later the record, without a chain, with an edge from the flush. Then the flush gets its hi by
 * reduce_stream_set_hi, so that entries of the buffer's list can be dropped. `place` is the number
 * of points that the buffer had before the flush. O(entries). */
uint32_t reduce_stream_places(const struct reduce_stream *stream, uint32_t buffer);
void reduce_stream_set_hi(struct reduce_stream *stream, uint32_t buffer, uint32_t clock,
                          uint32_t place, int64_t hi);

/* A point for reduce_stream_add. `leaves` is the number of edges that will leave the point, or
 * REDUCE_STREAM_SOME if this is not known; reduce_stream_release then announces that no more edges
 * follow. `edges` are the n edges into the point; `from` of each is the number of its source.
 * reduce_stream_add returns the number of the point in *out, which is valid until points are
 * removed. */
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

/* Functions for removing points once there are many. Get the marks with reduce_stream_marks (NULL:
 * out of memory), and set the marks of the sources of messages under way to 1. Then
 * reduce_stream_remove removes the points that are no longer needed, and replaces the marks of all
 * others by their new numbers. The caller frees the marks. */
bool reduce_stream_is_full(const struct reduce_stream *stream);
uint32_t *reduce_stream_marks(const struct reduce_stream *stream);
void reduce_stream_remove(struct reduce_stream *stream, uint32_t *marks);

/* Get the pairs after the last point. `points` is reduced to the points of these pairs. */
csy_status reduce_stream_collect(struct reduce_stream *stream, struct pairs *out, csy_error *error);

#endif
