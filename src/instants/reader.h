/* The records of a trace, decoded in batches, as actors see them. */
#ifndef INSTANTS_READER_H
#define INSTANTS_READER_H

#include "instants/instants.h"
#include "sync/events.h"

enum { READER_BATCH = 1024 };

struct reader {
    csy_events *events;
    struct senses *senses;
    struct actors *actors;
    csy_decoded *batch; /* READER_BATCH */
    size_t next, n;
};

csy_status reader_open(struct reader *reader, const csy_sync *sync, struct senses *senses,
                       struct actors *actors, csy_error *error);
csy_status reader_next(struct reader *reader, struct seen *out, bool *more, csy_error *error);
void reader_close(struct reader *reader);

#endif
