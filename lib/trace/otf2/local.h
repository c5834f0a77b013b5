/* Definitions and events of one location of an OTF2 archive. */
#ifndef TRACE_OTF2_LOCAL_H
#define TRACE_OTF2_LOCAL_H

#include "trace/otf2/archive.h"

/* The number of locations that one reader is used for. The time that libotf2 takes for a location
 * grows with the number of locations of its reader. */
enum { OTF2_LOCATIONS_A_READER = 512 };

/* Open a reader for the locations first, first + step, and so on. */
csy_status otf2_open_locations(const struct otf2_archive *archive, size_t first, size_t step,
                               OTF2_Reader **out, csy_error *error);

/* Open the events of a location with their raw timestamps. The local definitions of the location
 * are read before, for two purposes: the reader then maps local ids in the event file, and the
 * location gets the offsets of its clock that the tracer measured. Both files are checked. The
 * caller may read at most otf2_whole_events(checked) events. After a failure, *suffix is ".def" or
 * ".evt", for the file that failed. OTF2_ERROR_MEM_ALLOC_FAILED if memory runs out. */
OTF2_ErrorCode otf2_open_events(const struct otf2_archive *archive, OTF2_Reader *reader,
                                struct otf2_location *location, struct otf2_checked *checked,
                                OTF2_EvtReader **out, const char **suffix);

#endif
