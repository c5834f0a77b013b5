/* Tests whether drifting clocks can meet constraints at one rate, as the constraints arrive and
 * without a network of all of them (graph/ageing.h has the model).
 *
 * The nodes are some of the readings. A matrix holds, for each two nodes, how much the age of one
 * may exceed the age of the other, along the shortest path over all constraints so far. Once all
 * paths are known, a node can be dropped without loss if nothing will be adjacent to it. A node
 * stays if a constraint may still arrive from or to a reading adjacent to it, or if it is
 * the last of its clock.
 *
 * A constraint that follows from others makes no node. A constraint that contradicts a path back at
 * this rate is skipped. Each path has its weight and the distance between its readings, and so
 * yields the rate that the constraint needs. */
#ifndef GRAPH_AGE_MATRIX_H
#define GRAPH_AGE_MATRIX_H

#include "base/error.h"
#include "base/number.h"

#include <stdint.h>

struct age_matrix;

/* With more clocks, a network of all hulls is faster if there are only messages. */
enum { AGE_MATRIX_CLOCKS_MOST = 64 };

/* rate_ppb holds for all clocks except tau, in units of 1/RATE_UNIT; added_ticks is added to each
 * constraint. */
struct age_rule {
    size_t nclocks;
    uint32_t tau;
    uint32_t rate_ppb;
    int64_t added_ticks;
};
csy_status age_matrix_new(const struct age_rule *rule, struct age_matrix **out, csy_error *error);
void age_matrix_free(struct age_matrix *matrix);

/* A constraint from a reading of s to a reading of t: h(from) - h(to) <= RATE_UNIT weight, plus the
 * addition. Hubs are numbered after the clocks, have one reading each, and have no addition in
 * constraints into them. After nodes were dropped, neither reading may precede the kept part of its
 * clock (or, if nothing was, the clock's last node), unless the reading itself was kept. O(1) if
 * the constraint follows from others, otherwise at most O(nodes^2). */
struct age_constraint {
    uint32_t s, t;
    int64_t from, to;
    int64_t weight;
};
csy_status age_matrix_add(struct age_matrix *matrix, const struct age_constraint *constraint,
                          csy_error *error);

/* Dropping nodes, once there are many: first mark the nodes to keep, as a reading that a
 * constraint may still arrive, or as the first reading of a clock that later constraints involve.
 * The number of a dropped hub may be used again. */
bool age_matrix_is_full(const struct age_matrix *matrix);
void age_matrix_keep(struct age_matrix *matrix, uint32_t vertex, int64_t reading);
void age_matrix_keep_from(struct age_matrix *matrix, uint32_t clock, int64_t reading);
void age_matrix_drop(struct age_matrix *matrix);

/* True if there are too many nodes: a number plus a few for each clock. If thousands of readings
 * stay, for example because messages are received long after they are sent, the time grows with the
 * cube of their number. */
bool age_matrix_is_great(const struct age_matrix *matrix);

/* The greatest rate that a path needs; 0: no path needs a greater one; RATE_UNIT: more than is
 * possible. */
int64_t age_matrix_asks(const struct age_matrix *matrix);

#endif
