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
 * *window must outlive the stream. If `ages` is not NULL, it gets constraints, and no pairs are
 * stored. */
csy_status reduce_stream_new(struct points *points, size_t nlocations, size_t nclocks,
                             const struct reduce_window *window, struct age_matrix *ages,
                             struct reduce_stream **out, csy_error *error);
void reduce_stream_free(struct reduce_stream *stream);

/* Make room for more clocks and buffers than were known in the beginning. No hub may be a vertex.
 * `rate_ppb` replaces the earlier limits of rates, and is NULL if there were none. */
csy_status reduce_stream_grow(struct reduce_stream *stream, size_t nclocks, size_t nbuffers,
                              const uint32_t *rate_ppb, csy_error *error);

/* Functions for a flush that is limited by a much later record. Add such a flush without `hi`;
 * later add the record, without a chain, with an edge from the flush. reduce_stream_set_hi sets
 * `hi` of the flush, so that entries in the list of the buffer can be dropped. `place` is the
 * number of points that the buffer had before the flush. Time: O(entries). */
uint32_t reduce_stream_places(const struct reduce_stream *stream, uint32_t buffer);
void reduce_stream_set_hi(struct reduce_stream *stream, uint32_t buffer, uint32_t clock,
                          uint32_t place, int64_t hi);

/* A point for reduce_stream_add. `leaves` is the number of edges that will leave the point. If the
 * number is unknown, `leaves` is REDUCE_STREAM_SOME, and reduce_stream_release tells that no more
 * edges follow. `edges` are the n edges into the point, with the number of the source as `from`.
 * The number of the point, *out, is valid until points are removed. */
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

/* Functions that remove points once there are many. The caller gets the marks with
 * reduce_stream_marks (NULL: out of memory), and sets the marks of sends without their receives to
 * 1. reduce_stream_remove removes the points that are no longer needed, and replaces the marks of
 * all other points by their new numbers. The caller frees the marks. */
bool reduce_stream_is_full(const struct reduce_stream *stream);
uint32_t *reduce_stream_marks(const struct reduce_stream *stream);
void reduce_stream_remove(struct reduce_stream *stream, uint32_t *marks);

/* Get the pairs after the last point. `points` is reduced to the points of these pairs. */
csy_status reduce_stream_collect(struct reduce_stream *stream, struct pairs *out, csy_error *error);

#endif
