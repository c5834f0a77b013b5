/* The writer: a thread of the recorder that writes handed-over pages to HOST.PID.trace, each
 * followed by its BUFFER_FLUSH.
 *
 * Pages are in the file in the order of their handover. Nothing is written after the first failed
 * write, so the file is a complete prefix of what was recorded; later records are counted. */
#ifndef CELLTRACE_WRITER_H
#define CELLTRACE_WRITER_H

#include "recorder/folder.h"
#include "recorder/settings.h"

#include <stdbool.h>
#include <stdint.h>

/* A skew that hides the true clock, for tests: a time t becomes t + t * ppb / 10^9 + ticks. */
struct skew {
    int64_t ticks, ppb;
};

/* Create the file and start. The writer's thread calls changed when types may have been added.
 * False with errno. */
bool writer_start(struct folder *folder, const char *name, const struct skew *skew,
                  void (*changed)(void));

/* Types have changed. wait: until changed has been called since. */
void writer_note_change(bool wait);

/* A block is entered by events of one id and left by events of another. */
void writer_pair(unsigned entry_id, unsigned exit_id);

/* After pages_end: wait until everything is written, and close the file. The results: */
struct writer_sum {
    uint64_t records;    /* of threads, without BUFFER_FLUSH */
    uint64_t discarded;  /* that could not be written */
    uint64_t unbalanced; /* entries without an exit, and exits without an entry */
    int reason;          /* errno of the failed write, or 0 */
};

struct writer_sum writer_end(void);

#endif
