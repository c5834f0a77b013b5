/* Batches of events from a reading worker to a writing worker.
 *
 *   caller   reads and places events, fills batch 0 | 1 | 2 ...   writes instead of waiting
 *   worker             formats the events of batch 0 | 1 ...      writes if the caller is busy
 *
 * The caller fills batches with copies in turn, and the worker passes on their events in the same
 * order, so the output does not depend on the number of workers. Plain records are read faster than
 * they are formatted, and CSV rows more slowly, so whoever has less to do writes. */
#ifndef OUTPUT_TRACE_BATCHES_H
#define OUTPUT_TRACE_BATCHES_H

#include "output/file/relay.h"
#include "sync/events.h"

struct batches;

/* Called in the worker: the next event, and whether it is selected. No call follows a status that
 * is not CSY_OK. */
typedef csy_status (*batches_take)(void *user, const struct event *source, const csy_event *event,
                                   bool selected, csy_error *error);

/* Start the worker; *out is NULL if there is no thread or memory, so that the caller has to work
 * alone. */
void batches_open(batches_take take, void *user, struct batches **out);

/* Copy an event and everything it points to, except the names in its timestamp, which the worker
 * does not use. *stopped: the worker has failed and needs no more. */
csy_status batches_add(struct batches *batches, const struct event *source, const csy_event *event,
                       bool selected, bool *stopped, csy_error *error);

/* The same for an event of events_plain, which is copied faster. */
csy_status batches_add_plain(struct batches *batches, const csy_event *event, uint64_t place,
                             bool selected, bool *stopped, csy_error *error);

/* The relay through which the caller does writes of the worker, while it adds events or closes. */
const struct relay *batches_relay(struct batches *batches);

/* Wait until the worker is done, and free. Returns its first failure. */
csy_status batches_close(struct batches *batches, csy_error *error);

#endif
