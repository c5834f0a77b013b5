/* Computes constraints between clocks from points, as graph/reduce.h does, while the points arrive.
 *
 * Points arrive one by one, each after all points that precede it. Each location and each buffer
 * has a sequence of points. Further edges lead from one point to another. Points that are no longer
 * needed are removed. The constraints do not depend on the order of arrival. */
#ifndef GRAPH_REDUCE_STREAM_H
#define GRAPH_REDUCE_STREAM_H

#include "graph/reduce.h"

struct age_matrix;
struct reduce_stream;

/* Begin to compute constraints between clocks. `points` is emptied, and then stores the points that
 * are still needed. `points` and the arrays of *window must outlive the stream. If `ages` is not
 * NULL, it gets the constraints, and reduce_stream_collect gets none. */
csy_status reduce_stream_new(struct points *points, size_t nlocations, size_t nclocks,
                             const struct reduce_window *window, struct age_matrix *ages,
                             struct reduce_stream **out, csy_error *error);
void reduce_stream_free(struct reduce_stream *stream);

/* Make room for more clocks and buffers. rate_ppb has the greatest drift rate of each clock, or is
 * NULL if clocks do not drift. Only if reduce_stream_new was called with passes_hubs in *window. */
csy_status reduce_stream_grow(struct reduce_stream *stream, size_t nclocks, size_t nbuffers,
                              const uint32_t *rate_ppb, csy_error *error);

/* Used if the latest time `hi` of a flush (the write of a block of records) becomes known only at a
 * much later record. Call reduce_stream_places to get the `place` of the flush, then add the flush
 * without `hi`. When you read the later record, add it with an edge from the flush, but to no
 * location and no buffer. Then call reduce_stream_set_hi. */
uint32_t reduce_stream_places(const struct reduce_stream *stream, uint32_t buffer);
void reduce_stream_set_hi(struct reduce_stream *stream, uint32_t buffer, uint32_t clock,
                          uint32_t place, int64_t hi);

/* A point to be added. `edges` are the n edges from earlier points to it, and `leaves` is the
 * number of edges from it to later points. If you do not know this number, set REDUCE_STREAM_SOME,
 * and call reduce_stream_release after the last of these edges. reduce_stream_add sets *out to the
 * number of the point, which is valid until reduce_stream_remove is called. */
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

/* When reduce_stream_is_full returns true, remove points that are no longer needed. First call
 * reduce_stream_marks: it returns an array with an element for each point, or NULL if memory runs
 * out. Set the elements of sends that still wait for their receives to 1. Then reduce_stream_remove
 * stores the new number of each kept point in the array. Free the array. */
bool reduce_stream_is_full(const struct reduce_stream *stream);
uint32_t *reduce_stream_marks(const struct reduce_stream *stream);
void reduce_stream_remove(struct reduce_stream *stream, uint32_t *marks);

/* Call this after the last point to get all constraints between clocks. Removes the points where no
 * constraint begins or ends. */
csy_status reduce_stream_collect(struct reduce_stream *stream, struct pairs *out, csy_error *error);

#endif
