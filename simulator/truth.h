/* The truth that cellsync has to find: the offset of each live interval.
 *
 * Live intervals are derived from the records in the trace by the rules of pex(5). In addition, the
 * simulator knows the moment of the PPE's timebase for each timestamp. The local time of an
 * interval is 0 at its first record, so its true offset is the timebase at which its clock showed
 * the timestamp of that record. With drift, that is its first offset; the clock determines the
 * others. */
#ifndef PDTSIM_TRUTH_H
#define PDTSIM_TRUTH_H

#include "simulator/clock.h"

struct truth_row {
    uint32_t context, ordinal; /* spe<context>.<ordinal>, as in cellsync */
    uint32_t spe, decr_first;
    uint64_t first_record, records;
    int64_t first_ticks, last_ticks; /* readings of its clock, from timestamps */
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
    bool failed; /* out of memory */
};

/* Contexts are 1 to ncontexts. False if out of memory. */
bool truth_init(struct truth *truth, size_t ncontexts);
void truth_fini(struct truth *truth);

/* Add a switch record of a context. */
void truth_switch(struct truth *truth, uint32_t context, bool in);

/* Add an SPE record: its number among all records, its timestamp, and the reading of its clock
 * (NULL: the timebase) at that moment. */
void truth_record(struct truth *truth, uint32_t context, uint32_t spe, uint64_t record,
                  uint32_t decr, const struct clock *clock, int64_t shown);

#endif
