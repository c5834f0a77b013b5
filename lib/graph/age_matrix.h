/* Tests whether drifting clocks can meet all constraints if every clock's rate is within one limit.
 * Constraints are added as they arrive; no network of all constraints is needed (graph/ageing.h
 * describes the model).
 *
 * The nodes are some of the readings. For each two nodes, a matrix has the most by which the age of
 * one may exceed the age of the other. This is the length of the shortest path over all constraints
 * so far. A node stays as long as a later constraint may start or end at a reading beside it, or if
 * it is the last node of its clock. Other nodes can be dropped without loss, because the matrix
 * already contains the paths through them.
 *
 * A constraint that follows from others makes no node. A constraint that contradicts a path back,
 * at this rate, is skipped. Each path has its weight and the distance between its readings, which
 * together give the rate that it needs. */
#ifndef GRAPH_AGE_MATRIX_H
#define GRAPH_AGE_MATRIX_H

#include "base/error.h"
#include "base/number.h"

#include <stdint.h>

struct age_matrix;

/* Most clocks for a matrix. With more clocks, graph/ageing.h is faster if all constraints are
 * messages. */
enum { AGE_MATRIX_CLOCKS_MOST = 64 };

/* The limits of all constraints. `rate_ppb` is the greatest rate of all clocks except tau, in units
 * of 1/RATE_UNIT. `added_ticks` is added to each constraint. */
struct age_rule {
    size_t nclocks;
    uint32_t tau;
    uint32_t rate_ppb;
    int64_t added_ticks;
};
csy_status age_matrix_new(const struct age_rule *rule, struct age_matrix **out, csy_error *error);
void age_matrix_free(struct age_matrix *matrix);

/* A constraint from a reading of s to a reading of t: h(from) - h(to) <= RATE_UNIT weight, plus the
 * addition, which constraints into a hub do not have. Hubs are numbered after the clocks, and have
 * one reading each.
 *
 * After nodes were dropped, a reading must not precede the kept part of its clock, unless the
 * reading itself was kept. If no part was kept, the clock's last node counts as the kept part. O(1)
 * if the constraint follows from others, otherwise at most O(nodes^2). */
struct age_constraint {
    uint32_t s, t;
    int64_t from, to;
    int64_t weight;
};
csy_status age_matrix_add(struct age_matrix *matrix, const struct age_constraint *constraint,
                          csy_error *error);

/* Functions that drop nodes once there are many. First mark the nodes to keep: age_matrix_keep
 * marks one reading that a later constraint may use; age_matrix_keep_from marks the first reading
 * of a clock that later constraints may use. A new hub may get the number of a dropped hub. */
bool age_matrix_is_full(const struct age_matrix *matrix);
void age_matrix_keep(struct age_matrix *matrix, uint32_t vertex, int64_t reading);
void age_matrix_keep_from(struct age_matrix *matrix, uint32_t clock, int64_t reading);
void age_matrix_drop(struct age_matrix *matrix);

/* Returns true if the matrix has too many nodes, because time grows with the cube of their number.
 * Late messages, for example, can cause thousands of nodes. */
bool age_matrix_is_great(const struct age_matrix *matrix);

/* Returns the greatest rate that a path needs: 0 for the rate of the rule, RATE_UNIT if none
 * suffices. */
int64_t age_matrix_asks(const struct age_matrix *matrix);

#endif
