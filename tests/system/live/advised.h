/*
 * Following what `cellsync --advise=K` says of a recording while it goes on.
 *
 * Who calls the demo gets the name of what has been recorded so far, and answers with plans, a line
 * each: the context, K, the local time of its first record, how far apart its records are to be,
 * the first time of the PPE, and how far apart the PPE's are.  Plans are of clocks, which go on, so
 * both sides of one are moved by the same number of ticks, to when there is time for it.
 */
#ifndef LIVE_ADVISED_H
#define LIVE_ADVISED_H

#include "contexts.h"

enum { PLANS_MAX = 64 };

struct plan {
    uint32_t context;
    uint64_t records;
    int64_t thread, fine, reference, coarse, moved; /* ticks */
};

/* Whose turn it is: a plan, none yet, or the end. */
struct advised {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct plan plan; /* records 0: none */
    unsigned ready;   /* contexts that wait for theirs */
    bool ended;
};

void advised_init(struct advised *a);
void advised_fini(struct advised *a);

/* A context: wait for plans and follow its own, until all are done. */
void advised_spe(struct advised *a, struct context *c);

/* The PPE: wait until that many contexts wait, record something, save what there is as NAME, say
 * so, read plans and follow them.  False if something is wrong with files or plans. */
bool advised_ppe(struct advised *a, struct recorder *r, uint32_t tid, uint64_t hz,
                 unsigned contexts, const char *name);

#endif
