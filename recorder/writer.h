/* The writer: a thread of the recorder. It writes pages that were handed over to HOST.PID.trace.
 * After each page it writes a record BUFFER_FLUSH.
 *
 * Pages are in the file in the order in which they were handed over. After a write has failed,
 * nothing more is written, so the file contains everything that was recorded up to some page. Later
 * records are only counted. */
#ifndef CELLTRACE_WRITER_H
#define CELLTRACE_WRITER_H

#include "recorder/folder.h"
#include "recorder/settings.h"

#include <stdbool.h>
#include <stdint.h>

/* A change of all times, for tests, which hides the true clock: the time t becomes t + t * ppb /
 * 10^9 + ticks. */
struct skew {
    int64_t ticks, ppb;
};

/* Create the file and start the writer. Its thread calls `changed` when types may have been added.
 * Returns false with errno on a failure. */
bool writer_start(struct folder *folder, const char *name, const struct skew *skew,
                  void (*changed)(void));

/* Note that types have changed. wait: return only after `changed` was called. */
void writer_note_change(bool wait);

/* Declare that events of one id enter a block and events of another id leave it. */
void writer_pair(unsigned entry_id, unsigned exit_id);

/* Wait until everything is written, and close the file. Call this after pages_end. The results
 * are: */
struct writer_sum {
    uint64_t records;    /* number of records of threads, without BUFFER_FLUSH */
    uint64_t discarded;  /* number of records that could not be written */
    uint64_t unbalanced; /* number of entries without an exit and of exits without an entry */
    int reason;          /* errno of the failed write, or 0 */
};

struct writer_sum writer_end(void);

#endif
