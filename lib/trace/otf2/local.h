/* What an OTF2 archive says of one location alone. */
#ifndef TRACE_OTF2_LOCAL_H
#define TRACE_OTF2_LOCAL_H

#include "trace/otf2/archive.h"

/* How many locations one reader is for: libotf2 takes time for each that goes with their number. */
enum { OTF2_LOCATIONS_A_READER = 512 };

/* A reader of the locations first, first + step and so on. */
csy_status otf2_open_locations(const struct otf2_archive *archive, size_t first, size_t step,
                               OTF2_Reader **out, csy_error *error);

/* The events of a location, by their raw stamps.  Its own definitions are read before: numbers in
 * its event file may be its own, and from now on reader knows which are meant; location keeps what
 * the tracer took its clock for.  Both files are checked; no more than otf2_whole_events(checked)
 * events may be read.  *suffix: that of the file which a failure is about, ".def" or ".evt".
 * OTF2_ERROR_MEM_ALLOC_FAILED: no memory. */
OTF2_ErrorCode otf2_open_events(const struct otf2_archive *archive, OTF2_Reader *reader,
                                struct otf2_location *location, struct otf2_checked *checked,
                                OTF2_EvtReader **out, const char **suffix);

#endif
