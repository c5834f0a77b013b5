/* The truth that cellsync has to find: the offset of each live interval.
 *
 * Live intervals follow from the records by the rules of pex(5). The local time of an interval is 0
 * at its first record. Its true offset is the reading of the PPE's timebase when its clock began to
 * show the timestamp of this record. With drift, this is the offset at the first record; later
 * offsets follow from the clock. */
#ifndef PDTSIM_TRUTH_H
#define PDTSIM_TRUTH_H

#include "simulator/clock.h"

struct truth_row {
    uint32_t context, ordinal; /* cellsync's thread spe<context>.<ordinal> */
    uint32_t spe, decr_first;
    uint64_t first_record, records;
    int64_t first_ticks, last_ticks; /* the clock at the first and last timestamp */
    const struct clock *clock;       /* NULL: the timebase */
};

struct truth_context {
    uint32_t ordinals;
    size_t open; /* index of the current live interval in `rows` plus 1; 0: none */
    bool out;    /* switched out */
};

struct truth {
    struct truth_context *contexts;
    struct truth_row *rows;
    size_t count, capacity;
    bool failed; /* memory ran out */
};

/* Prepare for contexts 1 to ncontexts. Returns false if memory runs out. */
bool truth_init(struct truth *truth, size_t ncontexts);
void truth_fini(struct truth *truth);

void truth_switch(struct truth *truth, uint32_t context, bool in);

/* Add a record of an SPE: its position among all records, its decrementer, and the reading of its
 * clock (NULL: the timebase). */
void truth_record(struct truth *truth, uint32_t context, uint32_t spe, uint64_t record,
                  uint32_t decr, const struct clock *clock, int64_t shown);

#endif
