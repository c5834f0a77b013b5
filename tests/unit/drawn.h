/* Random traces with known offsets of clocks and errors of timestamps, as a CSV or as a .pex with
 * embedded records and context switches.
 *
 * Up to 20 clocks are live at once, in some traces many more (crowd). A clock writes its records in
 * bursts. The PPE writes many records, few, none in a part of the trace, all, or none at all.
 * Clocks are replaced one by one or all at once. All timestamps may be equal (equal), or near an
 * end of the 64-bit range (extreme). */
#ifndef UNIT_DRAWN_H
#define UNIT_DRAWN_H

#include "base/number.h"
#include "support.h"

enum { DRAWN_RECORDS = 400, DRAWN_THREADS = 170, DRAWN_LIVE = 20 };

struct drawn_thread {
    bool ppe;
    uint32_t context, ordinal; /* number in the name, which is spe<context>.<ordinal>, or t<context>
                                * in a CSV */
    int128 offset;             /* true offset: local time + offset is the true time, except for
                                * jitter */
    uint64_t first, last, records;
    uint32_t next; /* next thread of the same context, or UINT32_MAX */
};

struct drawn {
    size_t n, nthreads; /* threads are numbered in the order of their first records */
    uint32_t thread[DRAWN_RECORDS];
    int64_t local[DRAWN_RECORDS];
    struct drawn_thread threads[DRAWN_THREADS];
    int64_t jitter_ticks; /* maximum error of a timestamp */
    bool csv, extreme, crowd, equal;
    size_t live_most; /* largest number of threads that are live at once */
    struct buffer file;
};

/* Draw a trace with timestamp errors of at most jitter_ticks. The caller frees d->file. */
void drawn_trace(struct random *r, int64_t jitter_ticks, struct drawn *d);

enum { DRAWN_NAME_MAX = 32 };
const char *drawn_name(const struct drawn *d, size_t thread, char text[DRAWN_NAME_MAX]);

/* Synchronize the trace. After CSY_OK or CSY_INFEASIBLE, the caller frees *trace and *sync. */
csy_status drawn_solve(const struct drawn *d, const csy_options *options, csy_trace **trace,
                       csy_sync **sync, csy_error *error);

#endif
