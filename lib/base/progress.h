/* Reports the progress of long work to the caller. */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <cellsync/cellsync.h>

struct progress {
    csy_progress call; /* the function that receives reports; may be NULL */
    void *user;
    const char *stage; /* name of the stage of the work that is reported while records are read */
};

static inline void progress_tell(const struct progress *progress, const char *stage, csy_unit unit,
                                 uint64_t done, uint64_t total)
{
    if (progress && progress->call)
        progress->call(progress->user, stage, unit, done, total);
}

#endif
