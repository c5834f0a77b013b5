/* Extra records, as cellsync(1) advises with --advise: its JSON report contains their times, by the
 * clocks of the same run without them. */
#ifndef PDTSIM_ADVICE_H
#define PDTSIM_ADVICE_H

#include <cellsync/cellsync.h>

/* `records` of a live interval, at local times thread_ticks, thread_ticks + fine_ticks, and so on,
 * and as many of the PPE, from reference_ticks on, coarse_ticks apart. */
struct plan {
    uint32_t context, ordinal; /* of the live interval */
    int64_t thread_ticks, fine_ticks, reference_ticks, coarse_ticks;
};

struct advice {
    int64_t records;
    struct plan *plans;
    size_t count;
};

/* Read a report; threads without room get no plan. CSY_INPUT if it contains no advice, or if a
 * thread is not a live interval of contexts 1 to ncontexts. */
csy_status advice_read(const char *path, size_t ncontexts, struct advice *out, csy_error *error);
void advice_fini(struct advice *advice);

#endif
