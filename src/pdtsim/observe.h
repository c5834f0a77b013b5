/* What records of the shared buffer say of the activity of actors. */
#ifndef PDTSIM_OBSERVE_H
#define PDTSIM_OBSERVE_H

#include "pdtsim/activity.h"
#include "pdtsim/vocabulary.h"

/* Where records go to beside the trace. */
struct observer {
    struct activity *activity; /* NULL: nowhere */
    size_t ncontexts, first_tid;
    bool places; /* the trace says which contexts are started, and switched */
};

/* A record: of a thread of the PPE where the context is 0, else of a context. */
struct observed {
    uint32_t thread, context, stay; /* stay: on an SPE, from 1 */
    enum event event;
    int64_t begin, time; /* cycles; begin: when the event began */
    const uint64_t *payload;
};

void observe(const struct observer *observer, const struct observed *record);

#endif
