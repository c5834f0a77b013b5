/*
 * Whether clocks that drift can keep constraints at one rate, while these come (graph/ageing.h has
 * the model): without a network of all of them.
 *
 * Of some readings, the nodes, a matrix has how much one's age may exceed another's at most, by all
 * that has come, on the shortest of all ways.  Where all ways are known, a node that nothing will
 * be next to is dropped for nothing: only those stay that are next to a reading from which a
 * constraint may still come, or to which one may, and the last one of each clock.
 *
 * A constraint that follows from others makes no node.  One that can not be at this rate, as a way
 * back says, is passed over; a way has its weight and how far readings on it are apart, so it says
 * which rate it asks for.
 */
#ifndef GRAPH_AGE_MATRIX_H
#define GRAPH_AGE_MATRIX_H

#include "base/error.h"
#include "base/number.h"

#include <stdint.h>

struct age_matrix;

/* With more clocks a network of all hulls takes less time, where there are messages only. */
enum { AGE_MATRIX_CLOCKS_MOST = 64 };

/* rate_ppb: of all clocks but tau, in parts of RATE_UNIT; added_ticks: to each constraint. */
struct age_rule {
    size_t nclocks;
    uint32_t tau;
    uint32_t rate_ppb;
    int64_t added_ticks;
};
csy_status age_matrix_new(const struct age_rule *rule, struct age_matrix **out, csy_error *error);
void age_matrix_free(struct age_matrix *matrix);

/* A constraint from a reading of s to one of t: h(from) - h(to) <= RATE_UNIT weight, and what is
 * added.  After all clocks come hubs, which have one reading each, and into which nothing is added.
 * Since nodes were dropped, either reading is not before what was kept from of its clock, or it is
 * one that was kept; where neither was said, not before the last node of its clock.  O(1) if it
 * follows from others, else O(nodes^2) at most. */
struct age_constraint {
    uint32_t s, t;
    int64_t from, to;
    int64_t weight;
};
csy_status age_matrix_add(struct age_matrix *matrix, const struct age_constraint *constraint,
                          csy_error *error);

/* Whether nodes are to be dropped: those of which nothing says that they are kept, by a reading
 * from which a constraint may still come, or one before which none will come or lead to.  The
 * number of a hub that was dropped may be another's. */
bool age_matrix_is_full(const struct age_matrix *matrix);
void age_matrix_keep(struct age_matrix *matrix, uint32_t vertex, int64_t reading);
void age_matrix_keep_from(struct age_matrix *matrix, uint32_t clock, int64_t reading);
void age_matrix_drop(struct age_matrix *matrix);

/* Whether there are more nodes than are worth it, some and a few of each clock: where thousands of
 * readings are kept, as of sends that are received long after, time goes with the cube of them. */
bool age_matrix_is_great(const struct age_matrix *matrix);

/* The greatest rate that a way asked for, 0: none did; RATE_UNIT: for more than can be. */
int64_t age_matrix_asks(const struct age_matrix *matrix);

#endif
