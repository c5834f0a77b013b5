/*
 * Whether stamps are early against their places: who is below whom among near records, by offsets
 * that are taken for right.  cellsync-model(7), Diagnosis.
 *
 * A record that is below two of the records shortly before it is early, since these agree with one
 * another; one that is above two of those that follow it is late.  Of two that contradict each
 * other only, it cannot be told which.  Of more than two clocks, the two records must be of two.
 * How early or late: as the second one says.
 */
#ifndef DIAGNOSIS_STAMPS_H
#define DIAGNOSIS_STAMPS_H

#include "base/number.h"

/* Near: so many records. */
enum { STAMPS_NEAR = 8, STAMPS_CLOCKS_MAX = 64, STAMPS_QUARTERS = 4 };

/* Amounts by their highest bits: 16 bins a power of two. */
enum { STAMPS_BINS = 16 * 64 };

/* The two greatest amounts (0: none), and the clock of the first. */
struct stamps_pair {
    int64_t amount[2];
    uint32_t clock;
};

/* Amounts that were met, how often. */
struct stamps_bins {
    uint64_t count, bins[STAMPS_BINS];
    int64_t most;
};

struct stamps {
    size_t clocks;
    uint64_t total; /* positions of the trace */
    int64_t greatest;
    bool any;
    struct {
        int64_t g;
        struct stamps_pair early, late;
        uint32_t clock;
    } near[STAMPS_NEAR];
    uint64_t taken;                      /* records */
    bool early_clock[STAMPS_CLOCKS_MAX]; /* some record of it is early */
    struct stamps_bins early, late;      /* as the second one says */
    struct stamps_bins behind;           /* below the greatest one before */
    uint64_t quarters[STAMPS_QUARTERS];  /* of these, by place in the trace */
};

void stamps_init(struct stamps *stamps, size_t clocks, uint64_t total);

/* The next record, of a clock below STAMPS_CLOCKS_MAX, with its global time. */
void stamps_event(struct stamps *stamps, uint64_t position, uint32_t clock, int64_t g);

/* The last one has passed. */
void stamps_finish(struct stamps *stamps);

/* The amount that so many per cent of them keep, rounded up by at most 1/16; 0 where there are
 * none. */
int64_t stamps_quantile(const struct stamps_bins *bins, unsigned percent);

/* How many are greater than an amount that stamps_quantile has given. */
uint64_t stamps_beyond(const struct stamps_bins *bins, int64_t amount);

#endif
