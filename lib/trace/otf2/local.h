/* Definitions and events of one location of an OTF2 archive. */
#ifndef TRACE_OTF2_LOCAL_H
#define TRACE_OTF2_LOCAL_H

#include "trace/otf2/archive.h"

/* How many locations one reader is for: libotf2 takes time for each that goes with their number. */
enum { OTF2_LOCATIONS_A_READER = 512 };

/* A reader of the locations first, first + step and so on. */
csy_status otf2_open_locations(const struct otf2_archive *archive, size_t first, size_t step,
                               OTF2_Reader **out, csy_error *error);

/* Open the events of a location, by their raw timestamps.  Its own definitions are read before: ids
 * in its event file may be local, and the reader maps them from now on; location keeps the tracer's
 * offsets of its clock.  Both files are checked; read at most otf2_whole_events(checked) events.
 * *suffix: ".def" or ".evt", the file of a failure.  OTF2_ERROR_MEM_ALLOC_FAILED: no memory. */
OTF2_ErrorCode otf2_open_events(const struct otf2_archive *archive, OTF2_Reader *reader,
                                struct otf2_location *location, struct otf2_checked *checked,
                                OTF2_EvtReader **out, const char **suffix);

#endif
