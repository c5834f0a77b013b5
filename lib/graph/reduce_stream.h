/* Reduces points to pairs of clocks, as graph/reduce.h does, while the points arrive.
 *
 * Points arrive one by one, each after all its predecessors. Each location and each buffer has one
 * chain of points. Further edges lead from one point to another. Only points are stored that pairs,
 * chains, or later edges need. The pairs do not depend on the order of arrival. */
#ifndef GRAPH_REDUCE_STREAM_H
#define GRAPH_REDUCE_STREAM_H

#include "graph/reduce.h"

struct age_matrix;
struct reduce_stream;

/* Begin to compute constraints between clocks from points that arrive one by one. `points` is
 * emptied; it then stores the points that are still needed. `points` and the arrays of *window must
 * outlive the stream. If `ages` is not NULL, constraints are added to it, and are not stored as
 * pairs. */
csy_status reduce_stream_new(struct points *points, size_t nlocations, size_t nclocks,
                             const struct reduce_window *window, struct age_matrix *ages,
                             struct reduce_stream **out, csy_error *error);
void reduce_stream_free(struct reduce_stream *stream);

/* Make room for more clocks and buffers. rate_ppb has the rates of all clocks, or is NULL if clocks
 * do not drift. passes_hubs must be true in the window of reduce_stream_new. */
csy_status reduce_stream_grow(struct reduce_stream *stream, size_t nclocks, size_t nbuffers,
                              const uint32_t *rate_ppb, csy_error *error);

/* For the flush (write) of a block of records, if its latest time `hi` becomes known only at a much
 * later record. First, get the flush's `place` from reduce_stream_places, and add the flush without
 * `hi`. When the later record is read, add it with an edge from the flush, but in no chain
 * (sequence of points of a location or buffer). Then call reduce_stream_set_hi, which drops points
 * that are no longer needed. */
uint32_t reduce_stream_places(const struct reduce_stream *stream, uint32_t buffer);
void reduce_stream_set_hi(struct reduce_stream *stream, uint32_t buffer, uint32_t clock,
                          uint32_t place, int64_t hi);

/* A point to be added. `edges` are the n edges from earlier points to it. `leaves` is the number of
 * edges from it to later points. If this number is unknown, set it to REDUCE_STREAM_SOME, and call
 * reduce_stream_release after the last of these edges. reduce_stream_add sets *out to the point's
 * number, which is valid until reduce_stream_remove is called. */
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

/* When reduce_stream_is_full returns true, remove the points that are no longer needed:
 * reduce_stream_marks returns an array with an element for each point, or NULL if memory runs out.
 * Set the elements of sends that still wait for their receives to 1. Then reduce_stream_remove
 * removes points, and stores the new number of each kept point in the array. The caller frees the
 * array. */
bool reduce_stream_is_full(const struct reduce_stream *stream);
uint32_t *reduce_stream_marks(const struct reduce_stream *stream);
void reduce_stream_remove(struct reduce_stream *stream, uint32_t *marks);

/* After the last point, get all constraints between clocks. Points at which no constraint begins or
 * ends are removed. */
csy_status reduce_stream_collect(struct reduce_stream *stream, struct pairs *out, csy_error *error);

#endif
