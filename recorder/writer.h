/* The writer is a thread of the recorder. It appends pages that were handed over to the file
 * HOST.PID.trace, and a record BUFFER_FLUSH after each page.
 *
 * Pages are in the file in the order in which they were handed over. After a failure, the writer
 * only counts records, so the file contains everything that was recorded before some page. */
#ifndef CELLTRACE_WRITER_H
#define CELLTRACE_WRITER_H

#include "recorder/folder.h"
#include "recorder/settings.h"

#include <stdbool.h>
#include <stdint.h>

/* A change of all times, to hide the true clock in tests: t becomes t + t * ppb / 10^9 + ticks. */
struct skew {
    int64_t ticks, ppb;
};

/* Create the file and start the writer. The thread of the writer calls `changed` when types may
 * have been added. Returns false with errno on failure. */
bool writer_start(struct folder *folder, const char *name, const struct skew *skew,
                  void (*changed)(void));

/* Tell the writer that types have changed. If `wait`, return only after `changed` was called. */
void writer_note_change(bool wait);

/* Declare that events with entry_id enter a block, and events with exit_id leave it. */
void writer_pair(unsigned entry_id, unsigned exit_id);

/* The results of writer_end. */
struct writer_sum {
    uint64_t records;    /* number of records of threads, without BUFFER_FLUSH */
    uint64_t discarded;  /* number of records that could not be written */
    uint64_t unbalanced; /* number of entries without an exit and of exits without an entry */
    int reason;          /* errno of the failed write, or 0 */
};

struct writer_sum writer_end(void);

#endif
