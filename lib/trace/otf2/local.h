/* Definitions and events of one location of an OTF2 archive. */
#ifndef TRACE_OTF2_LOCAL_H
#define TRACE_OTF2_LOCAL_H

#include "trace/otf2/archive.h"

/* Number of locations for which a reader is used. The time that libotf2 takes for a location grows
 * with the number of locations of its reader. */
enum { OTF2_LOCATIONS_A_READER = 512 };

/* Open a reader for locations first, first + step, and so on. */
csy_status otf2_open_locations(const struct otf2_archive *archive, size_t first, size_t step,
                               OTF2_Reader **out, csy_error *error);

/* Open the events of a location with raw timestamps. First reads its local definitions, which let
 * the reader map local ids, and contain the clock offsets that the tracer measured. Checks both
 * files. The caller may read otf2_whole_events(checked) events. After a failure, *suffix is ".def"
 * or ".evt", for the faulty file. OTF2_ERROR_MEM_ALLOC_FAILED if memory runs out. */
OTF2_ErrorCode otf2_open_events(const struct otf2_archive *archive, OTF2_Reader *reader,
                                struct otf2_location *location, struct otf2_checked *checked,
                                OTF2_EvtReader **out, const char **suffix);

#endif
