/*
 * How much of an event file is there.
 *
 * libotf2 reads a chunk at a time, and does not see where the file ends in it: of one that was cut
 * off it goes on with what it finds in its memory.
 */
#ifndef TRACE_OTF2_WHOLE_H
#define TRACE_OTF2_WHOLE_H

#include "trace/otf2/archive.h"

struct otf2_whole {
    uint64_t events; /* no more than these may be read */
    bool cut; /* they are those before the end of a file that was cut off; else a limit, beyond
                        which there can be only what is not in the file */
};

/* Of a location's file, which reader is to read.  Reads its last chunk, and all others if the file
 * ends in the midst of that; where one is not laid out as events are, nothing is known but that
 * each takes a byte.  False on no memory. */
bool otf2_find_whole(const struct otf2_archive *archive, OTF2_Reader *reader,
                     const struct otf2_location *location, struct otf2_whole *out);

#endif
