/*
 * Several analyses of one scan and one merge.
 *
 * An analysis opens instants, asks for their merge, and works on what it was given.  Here each runs
 * in a thread of its own, but one at a time: up to its merge, then, when all have come there, what
 * the one merge gives is given to each in their order, and after that each goes on to its end.
 */
#ifndef INSTANTS_SHARED_H
#define INSTANTS_SHARED_H

#include "instants/instants.h"

/* One of the analyses; what it opens is the same instants, if nothing is wanted of them but that,
 * and what threads have spent. */
typedef void shared_job(void *user, size_t index);

/* Run jobs 0 to n - 1.  A job that does not get a thread does all of it by itself. */
csy_status shared_run(csy_sync *sync, const csy_meaning *meaning, size_t n, shared_job *job,
                      void *user, csy_error *error);

struct sharer;

/* For instants_open: the instants of the job that runs, if it is one. */
struct sharer *shared_open(struct csy_sync *sync, const struct csy_meaning *meaning,
                           struct instants *out, csy_status *status, csy_error *error);

#endif
