/*
 * What cellsync is to find: the true offset of each live interval.
 *
 * Live intervals are cut from the records as they stand in the trace, by the rules of pex(5); what
 * the simulator knows beyond them is which moment of the PPE's timebase each stamp stands for.  The
 * local time of an interval counts from 0 at its first record, so its true offset is the timebase
 * at which its clock showed that record's stamp.  Under drift that is its offset there; how it goes
 * on is what the clock knows.
 */
#ifndef PDTSIM_TRUTH_H
#define PDTSIM_TRUTH_H

#include "pdtsim/clock.h"

struct truth_row {
    uint32_t context, ordinal; /* spe<context>.<ordinal>, as cellsync calls it */
    uint32_t spe, decr_first;
    uint64_t first_record, records;
    int64_t first_ticks, last_ticks; /* what its clock showed, by the stamps */
    const struct clock *clock;       /* NULL: the timebase */
};

struct truth_context {
    uint32_t ordinals;
    size_t open; /* its row plus 1, or 0 */
    bool out;    /* after an OUT */
};

struct truth {
    struct truth_context *contexts;
    struct truth_row *rows;
    size_t count, capacity;
    bool failed; /* no memory */
};

/* Contexts are 1 to ncontexts; false on no memory. */
bool truth_init(struct truth *truth, size_t ncontexts);
void truth_fini(struct truth *truth);

/* A switch record of a context stands in the trace. */
void truth_switch(struct truth *truth, uint32_t context, bool in);

/* An SPE record does: the how-manieth of all records, its stamp, and what its clock (NULL: the
 * timebase) showed when it was that. */
void truth_record(struct truth *truth, uint32_t context, uint32_t spe, uint64_t record,
                  uint32_t decr, const struct clock *clock, int64_t shown);

#endif
