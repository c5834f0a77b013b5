/*
 * Files of an OTF2 archive, checked (otf2_records.h) so that libotf2 may read them.
 *
 * libotf2 opens files by their names, after the check. Ask otf2_is_unchanged once it has read one:
 * a file that is still being written is refused. The check cannot protect from somebody who writes
 * to the archive at the right moment.
 */
#ifndef TRACE_OTF2_CHECKED_H
#define TRACE_OTF2_CHECKED_H

#include "trace/otf2/otf2_records.h"

#include <sys/types.h>
#include <time.h>

struct otf2_checked {
    bool there;
    struct otf2_records records; /* up to its end, or to its fault */
    dev_t device;                /* which file it is: */
    ino_t inode;
    off_t bytes;
    struct timespec changed;
};

/* Check all chunks of a file.  A missing file has no fault, and neither has an empty file of local
 * definitions.  False on no memory. */
bool otf2_check_file(const char *path, enum otf2_part part, uint64_t chunk_bytes,
                     struct otf2_checked *out);

/* The same for the anchor file. */
bool otf2_check_anchor(const char *path, struct otf2_checked *out);

/* Return whether the path still leads to the checked file, and that has not changed. */
bool otf2_is_unchanged(const char *path, const struct otf2_checked *checked);

/* Return how many events of a checked file may be read. */
uint64_t otf2_whole_events(const struct otf2_checked *checked);

#endif
