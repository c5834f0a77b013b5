/* Extra records, as cellsync(1) recommends them with --advise. Its JSON report contains the times
 * of these records, in local times of the same run without the extra records. */
#ifndef PDTSIM_ADVICE_H
#define PDTSIM_ADVICE_H

#include <cellsync/cellsync.h>

/* The extra records for one live interval. `records` records of its thread begin at local time
 * thread_ticks and are fine_ticks apart. The same number of records of the PPE begin at
 * reference_ticks and are coarse_ticks apart. */
struct plan {
    /* of the live interval: its context, and its number among those of the context */
    uint32_t context, ordinal;
    int64_t thread_ticks, fine_ticks, reference_ticks, coarse_ticks;
};

struct advice {
    int64_t records;
    struct plan *plans;
    size_t count;
};

/* Read a report. Threads that had no time for extra records get no plan. CSY_INPUT if the report
 * contains no advice, or if a thread is not a live interval of the contexts 1 to ncontexts. */
csy_status advice_read(const char *path, size_t ncontexts, struct advice *out, csy_error *error);
void advice_fini(struct advice *advice);

#endif
