/* Extra records that cellsync(1) recommends with --advise. Its JSON report gives the times of these
 * records on the clocks of a run without extra records. */
#ifndef PDTSIM_ADVICE_H
#define PDTSIM_ADVICE_H

#include <cellsync/cellsync.h>

/* Extra records for a live interval, which is a stay of a context on an SPE. The SPE writes the
 * first one at local time thread_ticks, and the others fine_ticks apart. The PPE writes the first
 * one at its time reference_ticks, and the others coarse_ticks apart. */
struct plan {
    /* id of the context, and number of the live interval among those of the context, from 1 */
    uint32_t context, ordinal;
    int64_t thread_ticks, fine_ticks, reference_ticks, coarse_ticks;
};

struct advice {
    int64_t records;
    struct plan *plans;
    size_t count;
};

/* Read a report. Threads without time for extra records get no plan. Returns CSY_INPUT if the
 * report contains no advice, or advice for a context other than 1 to ncontexts. */
csy_status advice_read(const char *path, size_t ncontexts, struct advice *out, csy_error *error);
void advice_fini(struct advice *advice);

#endif
