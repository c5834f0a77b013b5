/* Tests whether drifting clocks can meet all constraints if no clock's rate exceeds a limit. The
 * age of a clock is how much it has gained or lost (graph/ageing.h). Constraints are added one by
 * one, and are not stored.
 *
 * Instead, a matrix stores, for every two local times of clocks that matter, how much the ages at
 * these times can differ according to all constraints so far. These local times are called nodes,
 * and each such limit is the length of the shortest path between two nodes. A node can be dropped
 * when later constraints neither begin nor end next to it. The last node of a clock stays.
 *
 * A constraint that follows from others makes no node. A constraint that contradicts the others
 * raises the greatest rate. The length of a path depends on this rate and on the time that the path
 * spans, so the matrix stores both. */
#ifndef GRAPH_AGE_MATRIX_H
#define GRAPH_AGE_MATRIX_H

#include "base/error.h"
#include "base/number.h"

#include <stdint.h>

struct age_matrix;

/* With more clocks than this, graph/ageing.h is faster if all constraints come from messages. */
enum { AGE_MATRIX_CLOCKS_MOST = 64 };

/* Parameters of all constraints: tau is the trace's reference clock, rate_ppb is the greatest rate
 * of all other clocks in 1/RATE_UNIT, and added_ticks is a tolerance that is added to each
 * constraint. */
struct age_rule {
    size_t nclocks;
    uint32_t tau;
    uint32_t rate_ppb;
    int64_t added_ticks;
};
csy_status age_matrix_new(const struct age_rule *rule, struct age_matrix **out, csy_error *error);
void age_matrix_free(struct age_matrix *matrix);

/* The age of clock s at its reading `from`, minus the age of clock t at its reading `to`, is at
 * most RATE_UNIT * weight. age_rule.added_ticks is added to the weight, unless t is a hub: a point
 * that stands for a group of records (graph/reduce.h). Hubs are numbered after the clocks, and have
 * one reading each. After age_matrix_drop, `from` and `to` must be readings that were kept, or be
 * later than the first kept reading of their clock. Time: O(1) if the constraint follows from
 * others, otherwise at most O(nodes^2). */
struct age_constraint {
    uint32_t s, t;
    int64_t from, to;
    int64_t weight;
};
csy_status age_matrix_add(struct age_matrix *matrix, const struct age_constraint *constraint,
                          csy_error *error);

/* When the matrix is full, remove nodes that later constraints do not need. For each local time
 * that occurs in later constraints, call age_matrix_keep, which marks the nodes next to it. Or call
 * age_matrix_keep_from, which marks all nodes of a clock from there on. Then age_matrix_drop
 * removes all other nodes. A new hub may get the number of a removed one. */
bool age_matrix_is_full(const struct age_matrix *matrix);
void age_matrix_keep(struct age_matrix *matrix, uint32_t vertex, int64_t reading);
void age_matrix_keep_from(struct age_matrix *matrix, uint32_t clock, int64_t reading);
void age_matrix_drop(struct age_matrix *matrix);

/* Returns true if the matrix is so large that graph/ageing.h is faster: the time for the matrix
 * grows with the cube of the number of nodes. Messages that arrive late can cause thousands of
 * nodes. */
bool age_matrix_is_great(const struct age_matrix *matrix);

/* Returns the greatest rate that clocks need to meet all constraints, in 1/RATE_UNIT: 0 if the
 * given rate suffices, RATE_UNIT if no rate does. */
int64_t age_matrix_asks(const struct age_matrix *matrix);

#endif
