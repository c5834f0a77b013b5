/*
 * Random traces of which everything is known: who wrote each record, what its clock said and how
 * far off that was.  As CSV, or as an embedded .pex whose contexts are switched in and out.
 *
 * Up to 20 clocks are live at once and now and then a crowd; a clock goes on in bursts; the PPE
 * speaks often, seldom, not through some of the trace, alone or never; clocks are replaced one by
 * one or all at once, so that some stand wholly before or after others; all stamps may be equal, or
 * at an end of 64 bits.
 */
#ifndef UNIT_DRAWN_H
#define UNIT_DRAWN_H

#include "base/number.h"
#include "support.h"

enum { DRAWN_RECORDS = 400, DRAWN_THREADS = 170, DRAWN_LIVE = 20 };

struct drawn_thread {
    bool ppe;
    uint32_t context, ordinal; /* .pex: its name; CSV: context is the name */
    int128 offset;             /* true: local time + offset is time, but for the jitter */
    uint64_t first, last, records;
    uint32_t next; /* of the same context, or UINT32_MAX */
};

struct drawn {
    size_t n, nthreads; /* numbered in the order of their first records */
    uint32_t thread[DRAWN_RECORDS];
    int64_t local[DRAWN_RECORDS];
    struct drawn_thread threads[DRAWN_THREADS];
    int64_t jitter_ticks; /* stamps are good to +- that */
    bool csv, extreme, crowd, equal;
    size_t live_most; /* W; up to DRAWN_LIVE */
    struct buffer file;
};

/* With stamps off by up to jitter_ticks; 0: exact.  The caller frees d->file. */
void drawn_trace(struct random *r, int64_t jitter_ticks, struct drawn *d);

enum { DRAWN_NAME_MAX = 32 };
const char *drawn_name(const struct drawn *d, size_t thread, char text[DRAWN_NAME_MAX]);

/* Solve it; CSY_OK or CSY_INFEASIBLE leave both for the caller to free. */
csy_status drawn_solve(const struct drawn *d, const csy_options *options, csy_trace **trace,
                       csy_sync **sync, csy_error *error);

#endif
