/* What an OTF2 archive says of one location alone. */
#ifndef TRACE_OTF2_LOCAL_H
#define TRACE_OTF2_LOCAL_H

#include "trace/otf2/archive.h"

/* Read a location's own definitions: numbers in its event file may be those of the location, and
 * from now on reader knows which are meant; location keeps what the tracer took its clock for.
 * OTF2_ERROR_MEM_ALLOC_FAILED: no memory. */
OTF2_ErrorCode otf2_read_local(OTF2_Reader *reader, struct otf2_location *location);

#endif
