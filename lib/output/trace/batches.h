/* Batches of events from the caller, which reads, to a worker thread, which writes.
 *
 *   caller   reads and places events, fills batch 0 | 1 | 2 ...   writes instead of waiting
 *   worker             formats the events of batch 0 | 1 ...      writes if the caller is busy
 *
 * The caller fills batches with copies in turn, and the worker passes on their events in the same
 * order, so the output does not depend on the number of workers. The thread with less to do writes:
 * the caller for records of a .pex, which are read fast, and the worker for CSV rows. */
#ifndef OUTPUT_TRACE_BATCHES_H
#define OUTPUT_TRACE_BATCHES_H

#include "output/file/outfile.h"
#include "sync/events.h"

struct batches;

/* The worker calls this function for each event, which is written if `selected`. No call follows a
 * status other than CSY_OK. */
typedef csy_status (*batches_take)(void *user, const struct event *source, const csy_event *event,
                                   bool selected, csy_error *error);

/* Start the worker. *out becomes NULL if no thread can be started or memory runs out. */
void batches_open(batches_take take, void *user, struct batches **out);

/* Add a copy of an event, except the names in its timestamp, which the worker does not read.
 * *stopped becomes true if the worker has failed. */
csy_status batches_add(struct batches *batches, const struct event *source, const csy_event *event,
                       bool selected, bool *stopped, csy_error *error);

/* Add a record and its place, as events_plain returned them. Faster than batches_add. */
csy_status batches_add_plain(struct batches *batches, const csy_event *event, uint64_t place,
                             bool selected, bool *stopped, csy_error *error);

/* Returns a relay: while batches_add and batches_close wait, they carry out the worker's writes. */
const struct relay *batches_relay(struct batches *batches);

/* Wait until the worker is done, and free the batches. Returns the first failure of the worker. */
csy_status batches_close(struct batches *batches, csy_error *error);

#endif
