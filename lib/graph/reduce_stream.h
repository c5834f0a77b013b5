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

/* Begin to receive points. `points` is emptied, then holds the stored points. `points` and arrays
 * of *window must outlive the stream. `ages`, unless NULL, gets the constraints instead of
 * pairs. */
csy_status reduce_stream_new(struct points *points, size_t nlocations, size_t nclocks,
                             const struct reduce_window *window, struct age_matrix *ages,
                             struct reduce_stream **out, csy_error *error);
void reduce_stream_free(struct reduce_stream *stream);

/* Make room for more clocks and buffers, with new rates or NULL. Requires window->passes_hubs. */
csy_status reduce_stream_grow(struct reduce_stream *stream, size_t nclocks, size_t nbuffers,
                              const uint32_t *rate_ppb, csy_error *error);

/* For the flush (write) of a block of records, if its latest time `hi` depends on a much later
 * record. Call reduce_stream_places for the flush's `place`, add the flush without `hi`, later add
 * that record, in no chain, with an edge from the flush. Then reduce_stream_set_hi drops
 * superfluous entries. */
uint32_t reduce_stream_places(const struct reduce_stream *stream, uint32_t buffer);
void reduce_stream_set_hi(struct reduce_stream *stream, uint32_t buffer, uint32_t clock,
                          uint32_t place, int64_t hi);

/* A point to be added, and its n edges from earlier points. `leaves` is the number of edges that
 * will leave it, or REDUCE_STREAM_SOME if unknown: then call reduce_stream_release after the last
 * of them. reduce_stream_add sets *out to the point's number, which is valid until points are
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

/* To remove unneeded points if reduce_stream_is_full: call reduce_stream_marks, which returns an
 * array with an element for each point, or NULL if memory runs out. Set the elements of sends
 * without their receives to 1. Call reduce_stream_remove, which replaces the elements of kept
 * points by their new numbers. Free the array. */
bool reduce_stream_is_full(const struct reduce_stream *stream);
uint32_t *reduce_stream_marks(const struct reduce_stream *stream);
void reduce_stream_remove(struct reduce_stream *stream, uint32_t *marks);

/* Get all pairs after the last point has been added. Points that are in no pair are removed. */
csy_status reduce_stream_collect(struct reduce_stream *stream, struct pairs *out, csy_error *error);

#endif
