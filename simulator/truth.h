/* The truth that cellsync has to find: the offset of each live interval.
 *
 * Live intervals follow from the records in the trace by the rules of pex(5). In addition, the
 * simulator knows the reading of the PPE's timebase at each timestamp. The local time of an
 * interval is 0 at its first record. Its true offset is therefore the reading of the timebase when
 * its clock began to show the timestamp of that record. With drift, this is only the offset at the
 * first record; other offsets follow from the clock. */
#ifndef PDTSIM_TRUTH_H
#define PDTSIM_TRUTH_H

#include "simulator/clock.h"

struct truth_row {
    uint32_t context, ordinal; /* the thread spe<context>.<ordinal>, as cellsync numbers threads */
    uint32_t spe, decr_first;
    uint64_t first_record, records;
    int64_t first_ticks, last_ticks; /* readings of its clock at the first and last timestamp */
    const struct clock *clock;       /* NULL: the timebase */
};

struct truth_context {
    uint32_t ordinals;
    size_t open; /* index of the current live interval in `rows` plus 1; 0: none */
    bool out;    /* the context was switched out */
};

struct truth {
    struct truth_context *contexts;
    struct truth_row *rows;
    size_t count, capacity;
    bool failed; /* memory ran out */
};

/* Contexts are 1 to ncontexts. False if out of memory. */
bool truth_init(struct truth *truth, size_t ncontexts);
void truth_fini(struct truth *truth);

/* Add a switch record of a context. */
void truth_switch(struct truth *truth, uint32_t context, bool in);

/* Add a record of an SPE. `record` is its position among all records, `decr` its timestamp, and
 * `shown` the reading of its clock (NULL: the timebase) at that moment. */
void truth_record(struct truth *truth, uint32_t context, uint32_t spe, uint64_t record,
                  uint32_t decr, const struct clock *clock, int64_t shown);

#endif
