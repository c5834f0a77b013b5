/*
 * The writer: a thread of the recorder's own, which takes the pages that threads hand over and
 * writes them to HOST.PID.trace, page by page, each followed by its BUFFER_FLUSH.
 *
 * The order of the pages in the file is that in which they were handed over.  The first write that
 * fails is the last one: the file stays a whole prefix of what was recorded, and what comes later
 * is counted.
 */
#ifndef CELLTRACE_WRITER_H
#define CELLTRACE_WRITER_H

#include "celltrace/folder.h"
#include "celltrace/settings.h"

#include <stdbool.h>
#include <stdint.h>

/* A skew that hides the true clock, for tests: a stamp t becomes t + t * ppb / 10^9 + ticks. */
struct skew {
    int64_t ticks, ppb;
};

/* Make the file and start; changed is called in the writer's thread where types may have been
 * added.  False with errno. */
bool writer_start(struct folder *folder, const char *name, const struct skew *skew,
                  void (*changed)(void));

/* The types have changed; wait until changed has been called since. */
void writer_note_change(bool wait);

/* A block that is entered by events of one id and left by those of another one. */
void writer_pair(unsigned entry_id, unsigned exit_id);

/* After pages_end: wait until all is written, and close the file.  What has become of it: */
struct writer_sum {
    uint64_t records;    /* of threads, without BUFFER_FLUSH */
    uint64_t discarded;  /* that could not be written */
    uint64_t unbalanced; /* entries without an exit, and exits without an entry */
    int reason;          /* errno of the write that failed, or 0 */
};

struct writer_sum writer_end(void);

#endif
