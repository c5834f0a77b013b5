/* Extra records that cellsync(1) recommends with --advise. The JSON report contains the times of
 * the records, as local times of a run without extra records. */
#ifndef PDTSIM_ADVICE_H
#define PDTSIM_ADVICE_H

#include <cellsync/cellsync.h>

/* Extra records for a live interval: `records` records of its thread, fine_ticks apart, from local
 * time thread_ticks on, and as many of the PPE, coarse_ticks apart, from reference_ticks on. */
struct plan {
    /* the context, and the number of the live interval among the live intervals of the context,
     * from 1 */
    uint32_t context, ordinal;
    int64_t thread_ticks, fine_ticks, reference_ticks, coarse_ticks;
};

struct advice {
    int64_t records;
    struct plan *plans;
    size_t count;
};

/* Read a report. Threads without time for extra records get no plan. Returns CSY_INPUT if there is
 * no advice, or if a thread is not a live interval of the contexts 1 to ncontexts. */
csy_status advice_read(const char *path, size_t ncontexts, struct advice *out, csy_error *error);
void advice_fini(struct advice *advice);

#endif
