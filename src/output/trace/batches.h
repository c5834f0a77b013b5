/*
 * Events on their way from the worker that reads them to the one that writes them.
 *
 *   caller   reads and places events, fills batch 0 | 1 | 2 ...   writes, where it would wait
 *   worker                  makes bytes of       batch 0 | 1 ...  and writes, where it would not
 *
 * The caller fills batches of copies in turn, and the worker hands on their events in the same
 * order; so what is written does not depend on there being two.  Plain records are read in much
 * less time than is spent on their bytes, rows of a CSV are not: so writes go to the one who has
 * less to do.
 */
#ifndef OUTPUT_TRACE_BATCHES_H
#define OUTPUT_TRACE_BATCHES_H

#include "output/file/relay.h"
#include "sync/events.h"

struct batches;

/* In the worker: the next event, and whether it is selected.  The first status that is not CSY_OK
 * is the last call. */
typedef csy_status (*batches_take)(void *user, const struct event *source, const csy_event *event,
                                   bool selected, csy_error *error);

/* Start the worker; *out is NULL where the system gives none, or no memory: do the work alone. */
void batches_open(batches_take take, void *user, struct batches **out);

/* Copy an event and all it points at, but the texts of its stamp, which the worker does not see.
 * *stopped: the worker has failed, so that no more are wanted. */
csy_status batches_add(struct batches *batches, const struct event *source, const csy_event *event,
                       bool selected, bool *stopped, csy_error *error);

/* The same for an event of events_plain, which is copied in less time. */
csy_status batches_add_plain(struct batches *batches, const csy_event *event, uint64_t place,
                             bool selected, bool *stopped, csy_error *error);

/* By way of which the caller does writes of the worker's, while it adds events or closes. */
const struct relay *batches_relay(struct batches *batches);

/* Wait until the worker is done with what was added, and free; its first failure. */
csy_status batches_close(struct batches *batches, csy_error *error);

#endif
