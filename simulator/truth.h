/* The truth that cellsync has to find: the offset of each live interval. A live interval is a stay
 * of a context on an SPE, as the rules of pex(5) derive it from the records.
 *
 * The local time of a live interval is 0 at its first record. Its true offset is the reading of the
 * PPE's timebase at the moment when its clock began to show the timestamp of this record. If clocks
 * drift, this is only the offset at the first record; later offsets follow from the clock. */
#ifndef PDTSIM_TRUTH_H
#define PDTSIM_TRUTH_H

#include "simulator/clock.h"

struct truth_row {
    uint32_t context, ordinal; /* cellsync calls this live interval spe<context>.<ordinal> */
    uint32_t spe, decr_first;
    uint64_t first_record, records;
    int64_t first_ticks, last_ticks; /* first and greatest timestamp, as readings of `clock` */
    const struct clock *clock;       /* clock of the records, or NULL for the PPE's timebase */
};

struct truth_context {
    uint32_t ordinals;
    size_t open; /* 1 + index in `rows` of the current stay on an SPE, or 0 */
    bool out;    /* true if the context is switched out */
};

struct truth {
    struct truth_context *contexts;
    struct truth_row *rows;
    size_t count, capacity;
    bool failed;
};

/* Create a list of true offsets for contexts 1 to ncontexts. Returns false if memory runs out. */
bool truth_init(struct truth *truth, size_t ncontexts);
void truth_fini(struct truth *truth);

void truth_switch(struct truth *truth, uint32_t context, bool in);

/* Add a record to the live interval of its context. `record` is the index of the record in the
 * trace, `decr` is its decrementer, and `shown` is the reading of `clock`. If `clock` is NULL, the
 * reading is from the PPE's timebase. */
void truth_record(struct truth *truth, uint32_t context, uint32_t spe, uint64_t record,
                  uint32_t decr, const struct clock *clock, int64_t shown);

#endif
